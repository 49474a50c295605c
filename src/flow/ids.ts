import { idProblem } from "../contract/id.ts";
import type { Call } from "./call.ts";
import { readText } from "./input-file.ts";
import type { Problems } from "./problems.ts";

/** An id that was typed, or the one line of stdin for `-`. One that cannot stand in a path becomes a problem. */
export async function readId(call: Pick<Call, "app">, problems: Problems, what: string, operand: string | undefined): Promise<string> {
  const id = operand === "-" ? (await readText(call.app, "-")).replace(/\r?\n$/, "") : (operand ?? "");
  const problem = idProblem(id);
  if (problem) problems.add(`<${what}>`, problem, id);
  return id;
}
