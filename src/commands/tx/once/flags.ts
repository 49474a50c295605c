import type { OnceFlags } from "../../../command-support/journaling/journal-use.ts";
import type { Problems } from "../../../command-support/problems.ts";
import type { CommandSyntax } from "../../flags/syntax.ts";

const LONGEST = 200;
const NOT_PRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Adds the flags of a transaction that is sent only once. */
export function defineOnceFlags(command: CommandSyntax): CommandSyntax {
  return command
    .optionsGroup("Repeated runs")
    .option("--once <key>", "Send at most once: a later run with this key reports the first run's transaction")
    .option("--state <folder>", "Keep the keys in this folder (default: in the journal)");
}

/** Validates the flags of a transaction that is sent only once, and returns its key. */
export function onceKey({ once, state }: OnceFlags, problems: Problems): string | undefined {
  const rule = once === undefined ? undefined : keyProblem(once);
  if (rule) problems.add("--once", rule, once);
  if (state !== undefined && once === undefined) problems.add("--state", "has no effect without --once");
  if (state === "") problems.add("--state", "is empty");
  return once;
}

function keyProblem(key: string): string | undefined {
  if (key.trim() === "") return "is empty";
  if (NOT_PRINTABLE.test(key)) return "must consist of printable characters";
  return [...key].length > LONGEST ? `must have at most ${LONGEST} characters` : undefined;
}
