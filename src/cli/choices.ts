import type { App } from "../app.ts";
import type { CommonFlags } from "../command-support/common-flags.ts";
import type { CommandSyntax, Flag } from "../commands/command.ts";
import { type Environment, readEnv } from "../config/environment.ts";
import type { Problems } from "../contract/problems.ts";
import { usageError } from "../errors.ts";
import { oneOf } from "../nearest.ts";
import { OUTPUT_FORMATS } from "../terminal/output-options.ts";

export const COLORS = ["auto", "always", "never"] as const;

export function validateWords(problems: Problems, { flags }: CommandSyntax, values: Record<string, unknown>): void {
  for (const flag of flags) validateWord(problems, flag, values[flag.attribute]);
}

function validateWord(problems: Problems, { long, choices }: Flag, given: unknown): void {
  if (!choices || typeof given !== "string" || choices.includes(given)) return;
  problems.add(long, oneOf(given, choices), given);
}

/** Checks the common flags for conflicts, and applies the variables that stand for them. */
export async function validateChoices(env: App["env"], typed: CommonFlags, problems: Problems): Promise<CommonFlags> {
  if (typed.json && typed.output !== undefined && typed.output !== "json") {
    problems.add("--json", `cannot be combined with -o ${typed.output}`);
  }
  if (typed.dryRun && typed.curl) problems.add("--dry-run", "cannot be combined with --curl");
  const typedOutput = typed.json ? "json" : typed.output;
  const output = typedOutput ?? (await problems.gather(() => validChoice(env, "RELAYCTL_OUTPUT", OUTPUT_FORMATS)));
  const color = typed.color ?? (await problems.gather(() => validChoice(env, "RELAYCTL_COLOR", COLORS)));
  return { ...typed, ...(output && { output }), ...(color && { color }) };
}

/** Returns the word in a variable that stands for a flag with a fixed set of words, e.g. `RELAYCTL_OUTPUT`. */
export function validChoice<T extends string>(env: Environment, name: string, allowed: readonly T[]): T | undefined {
  const given = readEnv(env, name);
  if (given === undefined) return undefined;
  const found = allowed.find((word) => word === given);
  if (found === undefined) throw usageError([{ where: name, given, rule: oneOf(given, allowed) }]);
  return found;
}
