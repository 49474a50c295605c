import type { Call } from "../flow/call.ts";
import { personPresent } from "../flow/person.ts";
import type { Problems } from "../flow/problems.ts";
import { askOperands } from "./ask-operands.ts";
import { helpOf } from "./help/help-of.ts";
import { isInteractive } from "./interactive.ts";
import type { ParsedCommand } from "./parse.ts";
import { retyped, withAnswers, withOperands } from "./retype.ts";

/**
 * Asks for what is missing, and reads the command line once more with the answers in it: what was asked counts as typed,
 * in checks, dry runs, hints and receipts. Nobody is asked while something that was typed is wrong.
 * @returns nothing when the answers leave nothing to do
 */
export async function complete(call: Call, parsed: ParsedCommand, problems: Problems): Promise<Call | undefined> {
  const { chosen, missing } = parsed;
  if (missing) problems.throwIfAny(helpOf(chosen.command));
  if (!missing && (!mayAsk(call, problems) || problems.found.length > 0)) return call;
  const named = missing ? await withMissing(call, parsed) : call;
  return await withInterview(named, parsed);
}

/** `-i` where nobody is there is a problem, and everything else that was typed is still judged. */
function mayAsk(call: Call, problems: Problems): boolean {
  if (personPresent(call.app, call.common)) return true;
  if (isInteractive(call)) problems.add("-i", "asks questions, and nobody is here to answer them; type the flags");
  return false;
}

async function withMissing(call: Call, { chosen, missing }: ParsedCommand): Promise<Call> {
  const answers = await askOperands(call, chosen.file);
  if (answers.length === 0) throw missing;
  return await retyped(call, withOperands(call.argv, answers));
}

async function withInterview(call: Call, { chosen: { file, command } }: ParsedCommand): Promise<Call | undefined> {
  if (!file.interview) return call;
  const answers = await file.interview(call);
  if (!answers) return undefined;
  return answers.length === 0 ? call : await retyped(call, withAnswers(call.argv, answers, command));
}
