import type { App } from "../app.ts";
import { choiceOf } from "../config/choice.ts";
import type { CommonFlags } from "../flow/common-flags.ts";
import type { Problems } from "../flow/problems.ts";
import { OUTPUT_FORMATS } from "../terminal/output-options.ts";

const COLORS = ["auto", "always", "never"] as const;

/** The common flags with their fixed words judged, and the variables that stand for them filled in. */
export async function judgeChoices(env: App["env"], typed: CommonFlags, problems: Problems): Promise<CommonFlags> {
  judgeWord(problems, "--output", typed.output, OUTPUT_FORMATS);
  judgeWord(problems, "--color", typed.color, COLORS);
  if (typed.json && typed.output !== undefined && typed.output !== "json") {
    problems.add("--json", `cannot be given together with -o ${typed.output}`);
  }
  if (typed.dryRun && typed.curl) problems.add("--dry-run", "cannot be given together with --curl");
  const typedOutput = typed.json ? "json" : typed.output;
  const output = typedOutput ?? (await problems.gather(() => choiceOf(env, "RELAYCTL_OUTPUT", OUTPUT_FORMATS)));
  const color = typed.color ?? (await problems.gather(() => choiceOf(env, "RELAYCTL_COLOR", COLORS)));
  return { ...typed, ...(output && { output }), ...(color && { color }) };
}

function judgeWord(problems: Problems, where: string, given: string | undefined, allowed: readonly string[]): void {
  if (given !== undefined && !allowed.includes(given)) problems.add(where, `one of ${allowed.join(", ")}`, given);
}
