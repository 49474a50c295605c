import { askText, flagWords, type TextQuestion } from "../../command-support/prompting/ask-text.ts";
import { newIdProblem } from "../../contract/id.ts";
import { Problems } from "../../contract/problems.ts";
import type { Call } from "../command.ts";
import { existingIdProblem } from "../send-creation.ts";
import { creatableNotification } from "./create-notification.ts";
import { type CreateFlags, creationFromFlags, KEY_WORDS, URL_QUESTION } from "./flags.ts";

/** Prompts for a missing URL; with `-i` for the ID and the key too. */
export async function createInterview(call: Call<CreateFlags>): Promise<boolean> {
  const { signingKeyFile, interactive } = call.flags;
  const problems = new Problems();
  const { url, id, signing_key } = await creationFromFlags(call, problems);
  // No prompts while something typed is wrong.
  if (problems.found.some(({ where }) => where !== "--url" || url !== undefined)) return true;
  const { entered } = call;
  const prompts = await call.app.prompts();
  if (url === undefined) entered.add(flagWords("--url", await askText(prompts, URL_QUESTION)));
  if (!interactive) return true;
  if (id === undefined) entered.add(flagWords("--id", await askText(prompts, idQuestion(call))));
  const hasKey = signingKeyFile !== undefined || signing_key !== undefined;
  if (!hasKey) entered.add(await prompts.select("Signing key:", KEY_CHOICES));
  return true;
}

const KEY_CHOICES = [
  { value: KEY_WORDS, name: "enter a key (hidden)" },
  { value: [], name: "none: deliveries are sent unsigned" },
];

function idQuestion(call: Call): TextQuestion {
  return {
    question: "ID (Enter generates one):",
    optional: true,
    example: "ops-hook",
    problem: newIdProblem,
    conflict: (id) => existingIdProblem(call, creatableNotification, id),
  };
}
