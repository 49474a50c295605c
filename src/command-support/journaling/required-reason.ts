import type { Settings } from "../../config/settings.ts";
import { usageError } from "../../errors.ts";
import type { Call } from "../call.ts";
import type { CommonFlags } from "../common-flags.ts";
import { askText, flagWords } from "../prompting/ask-text.ts";
import { canPrompt } from "../prompting/prompts.ts";

/**
 * Returns the reason for a command's writes. If the context requires a reason and none was typed, prompts for it.
 * @throws RelayctlError usage if no terminal is attached
 */
export async function requiredReason(
  { app, entered }: Pick<Call, "app" | "entered">,
  settings: Settings,
  common: CommonFlags,
): Promise<string | undefined> {
  const { reason } = common;
  if (settings.demo || !settings.requiresReason || reason !== undefined) return reason;
  const context = settings.context?.value;
  if (!canPrompt(app, common)) {
    const rule = `context ${context} requires a reason for each write; nothing was sent`;
    throw usageError([{ where: "--reason", rule }]);
  }
  const answer = await askText(await app.prompts(), {
    question: `Reason for this change in ${context}:`,
    example: "new owner",
    problem: (answer) => (answer.trim() === "" ? "enter a reason" : undefined),
  });
  entered.add(flagWords("--reason", answer));
  return answer;
}
