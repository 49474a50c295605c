import { idProblem } from "../contract/id.ts";
import type { Call } from "./call.ts";
import { readText } from "./input-file.ts";
import type { Problems } from "./problems.ts";

/** An id that was typed, or the one line of stdin for `-`. One that cannot stand in a path becomes a problem. */
export async function readId(
  call: Pick<Call, "app">,
  problems: Problems,
  what: string,
  operand: string | undefined,
): Promise<string> {
  const typed = operand === "-" ? await problems.gather(() => readText(call.app, "-")) : (operand ?? "");
  const id = operand === "-" ? typed?.replace(/\r?\n$/, "") : typed;
  if (id !== undefined) judgeId(problems, `<${what}>`, id);
  return id ?? "";
}

/**
 * Ids that were typed, each of them once; `-` stands for the lines of stdin. Nothing when none was typed: that is not
 * the same as a stdin without a line.
 */
export async function readIds(
  { app, operands }: Pick<Call, "app" | "operands">,
  problems: Problems,
  what: string,
): Promise<readonly string[] | undefined> {
  if (operands.length === 0) return undefined;
  const piped = operands.includes("-") ? ((await problems.gather(() => readText(app, "-"))) ?? "") : "";
  const lines = piped.split(/\r?\n/).filter((line) => line !== "");
  const ids = new Set(operands.flatMap((operand) => (operand === "-" ? lines : [operand])));
  for (const id of ids) judgeId(problems, `<${what}>`, id);
  return [...ids];
}

/** An id that is typed for a member of a body is held to the same rule: else it could never be addressed. */
export function judgeId(problems: Problems, where: string, id: string): void {
  const problem = idProblem(id);
  if (problem && !problems.has(where)) problems.add(where, problem, id);
}
