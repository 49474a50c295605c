import type { Call } from "../command-support/call.ts";
import { Problems } from "../command-support/problems.ts";
import { canPrompt } from "../command-support/prompting/can-prompt.ts";
import { askArguments } from "./ask-arguments.ts";
import { helpOf } from "./help/help-of.ts";
import type { ParsedCommand } from "./parse.ts";
import { retyped, withAnswers, withArguments } from "./retype.ts";

/**
 * Prompts for missing input, and parses the command line again with that input in it: it counts as typed in checks, dry
 * runs, hints, and receipts. No prompt appears while something typed is known to be wrong.
 * @returns undefined if the input leaves nothing to do
 */
export async function complete(call: Call, parsed: ParsedCommand, problems: Problems): Promise<Call | undefined> {
  const { chosen, missing } = parsed;
  if (missing) {
    chosen.file.validateFlags?.(call, problems);
    problems.throwIfAny(helpOf(chosen.command));
  } else if (!canPrompt(call.app, call.common)) {
    problems.add("-i", "prompts for values, but no terminal is attached; specify them as flags");
  }
  if (problems.found.length > 0) return call;
  return await withInterview(missing ? await withMissing(call, parsed) : call, parsed);
}

async function withMissing(call: Call, { chosen, missing }: ParsedCommand): Promise<Call> {
  const answers = await askArguments(call, chosen.file);
  if (answers.length === 0) throw missing;
  return await retyped(call, withArguments(call.argv, answers));
}

async function withInterview(call: Call, { chosen: { file, command } }: ParsedCommand): Promise<Call | undefined> {
  if (!file.interview) return call;
  const typed = new Problems();
  const answers = await typed.gather(() => file.interview?.(call));
  if (typed.found.length > 0) return call;
  if (!answers) return undefined;
  return answers.length === 0 ? call : await retyped(call, withAnswers(call.argv, answers, command));
}
