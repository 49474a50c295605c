import { idProblem } from "../contract/id.ts";
import type { Call } from "./call.ts";
import { readText } from "./input-file.ts";
import type { Problems } from "./problems.ts";

/** An id that was typed, or the one line of stdin for `-`. One that cannot stand in a path becomes a problem. */
export async function readId(
  call: Pick<Call, "app">,
  problems: Problems,
  what: string,
  argument: string | undefined,
): Promise<string> {
  const typed = argument === "-" ? await problems.gather(() => readText(call.app, "-")) : (argument ?? "");
  const id = argument === "-" ? typed?.replace(/\r?\n$/, "") : typed;
  if (id !== undefined) validateId(problems, `<${what}>`, id);
  return id ?? "";
}

/**
 * Ids that were typed, each of them once; `-` stands for the lines of stdin. Nothing when none was typed: that is not
 * the same as a stdin without a line.
 */
export async function readIds(
  call: Pick<Call, "app" | "args">,
  problems: Problems,
  what: string,
): Promise<readonly string[] | undefined> {
  const typed = await typedIds(call, problems, what);
  return typed && [...new Set(typed.map(({ id }) => id))];
}

/** The same for a write: an id that was given twice is a mistake in what is meant. */
export async function readTargets(
  call: Pick<Call, "app" | "args">,
  problems: Problems,
  what: string,
): Promise<readonly string[] | undefined> {
  const typed = await typedIds(call, problems, what);
  const first = new Map<string, string>();
  for (const { id, where } of typed ?? []) {
    const before = first.get(id);
    if (before === undefined) first.set(id, where);
    else problems.add(where, `specified twice, first as ${before}`, id);
  }
  return typed && [...first.keys()];
}

/** Where nothing was piped in that an id could be. A stdin that could not be read was told already. */
export function refuseNone(problems: Problems, ids: readonly string[]): void {
  if (ids.length === 0 && !problems.has("-")) problems.add("-", "stdin is closed or contains no IDs (one per line)");
}

interface TypedId {
  id: string;
  /** `<id> 2`, or `stdin line 3`. */
  where: string;
}

async function typedIds(
  { app, args }: Pick<Call, "app" | "args">,
  problems: Problems,
  what: string,
): Promise<readonly TypedId[] | undefined> {
  if (args.length === 0) return undefined;
  const typed: TypedId[] = [];
  for (const [index, argument] of args.entries()) {
    if (argument === "-") for (const id of await pipedIds(app, problems)) typed.push(id);
    else typed.push({ id: argument, where: args.length === 1 ? `<${what}>` : `<${what}> ${index + 1}` });
  }
  for (const { id, where } of typed) validateId(problems, where, id);
  return typed;
}

async function pipedIds(app: Call["app"], problems: Problems): Promise<TypedId[]> {
  const text = (await problems.gather(() => readText(app, "-"), "-")) ?? "";
  const lines = text.split(/\r?\n/).map((id, index) => ({ id, where: `stdin line ${index + 1}` }));
  return lines.filter(({ id }) => id !== "");
}

/** An id that is typed for a member of a body is held to the same rule: else it could never be addressed. */
export function validateId(problems: Problems, where: string, id: string): void {
  const problem = idProblem(id);
  if (problem && !problems.has(where)) problems.add(where, problem, id);
}
