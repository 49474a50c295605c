import { idProblem } from "../contract/id.ts";
import type { Problems } from "../contract/problems.ts";
import { readInputText } from "../session/input-file.ts";
import type { Call } from "./call.ts";

/** Reads a typed ID, or stdin's only line for `-`. An ID that can't be in a path becomes a problem. */
export async function readId(
  call: Pick<Call, "app">,
  problems: Problems,
  what: string,
  argument: string | undefined,
): Promise<string> {
  const typed = argument === "-" ? await problems.gather(() => readInputText(call.app, "-")) : (argument ?? "");
  const id = argument === "-" ? typed?.replace(/\r?\n$/, "") : typed;
  if (id !== undefined) validateId(problems, `<${what}>`, id);
  return id ?? "";
}

/** Reads typed IDs once each; `-` is stdin's lines. Undefined if none was typed, unlike an empty stdin. */
export async function readIds(
  call: Pick<Call, "app" | "args">,
  problems: Problems,
  what: string,
): Promise<readonly string[] | undefined> {
  const typed = await typedIds(call, problems, what);
  return typed && [...new Set(typed.map(({ id }) => id))];
}

/** Reads IDs for a write: a duplicate is a mistake. */
export async function readTargetIds(
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

/** Adds a problem if stdin contained no ID. An unreadable stdin was reported already. */
export function refuseNoIds(problems: Problems, ids: readonly string[]): void {
  if (ids.length === 0 && !problems.has("-")) problems.add("-", "stdin is closed or contains no IDs (one per line)");
}

interface TypedId {
  id: string;
  /** `<id> 2`, or `stdin line 3`. */
  where: string;
}

async function typedIds({ app, args }: Pick<Call, "app" | "args">, problems: Problems, what: string) {
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
  const text = (await problems.gather(() => readInputText(app, "-"), "-")) ?? "";
  const lines = text.split(/\r?\n/).map((id, index) => ({ id, where: `stdin line ${index + 1}` }));
  return lines.filter(({ id }) => id !== "");
}

/** Validates an ID in a body by the same rule: otherwise it could never be addressed. */
export function validateId(problems: Problems, where: string, id: string): void {
  const problem = idProblem(id);
  if (problem && !problems.has(where)) problems.add(where, problem, id);
}
