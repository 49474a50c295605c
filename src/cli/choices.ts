import type { App } from "../app.ts";
import { choiceOf } from "../config/choice.ts";
import { type Problem, usageError } from "../errors.ts";
import type { CommonFlags } from "../flow/common-flags.ts";
import { OUTPUT_FORMATS } from "../terminal/output-options.ts";

const COLORS = ["auto", "always", "never"] as const;

/** The common flags with their fixed words judged, and the variables that stand for them filled in. */
export function judgeChoices(env: App["env"], typed: CommonFlags): CommonFlags {
  const problems: Problem[] = [];
  judgeWord(problems, "--output", typed.output, OUTPUT_FORMATS);
  judgeWord(problems, "--color", typed.color, COLORS);
  if (typed.json && typed.output !== undefined && typed.output !== "json") {
    problems.push({ where: "--json", rule: `cannot be given together with -o ${typed.output}` });
  }
  if (problems.length > 0) throw usageError(problems);
  const output = typed.json ? "json" : (typed.output ?? choiceOf(env, "RELAYCTL_OUTPUT", OUTPUT_FORMATS));
  const color = typed.color ?? choiceOf(env, "RELAYCTL_COLOR", COLORS);
  return { ...typed, ...(output && { output }), ...(color && { color }) };
}

function judgeWord(problems: Problem[], where: string, given: string | undefined, allowed: readonly string[]): void {
  if (given !== undefined && !allowed.includes(given)) problems.push({ where, given, rule: `one of ${allowed.join(", ")}` });
}
