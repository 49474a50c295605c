import { askText, flagWords } from "../../command-support/prompting/prompts.ts";
import { Problems } from "../../contract/problems.ts";
import type { Call } from "../command.ts";
import { creationIdQuestion } from "../send-creation.ts";
import { type CreateFlags, KEY_WORDS, notificationFromFlags, URL_QUESTION } from "./flags.ts";

export async function createNotificationInterview(call: Call<CreateFlags>): Promise<boolean> {
  const { signingKeyFile, interactive } = call.flags;
  const problems = new Problems();
  const { url, id, signing_key } = await notificationFromFlags(call, problems);
  // No prompts while typed input is wrong.
  if (problems.found.some(({ where }) => where !== "--url" || url !== undefined)) return true;
  const { entered } = call;
  const prompts = await call.app.prompts();
  if (url === undefined) entered.add(flagWords("--url", await askText(prompts, URL_QUESTION)));
  if (!interactive) return true;
  if (id === undefined)
    entered.add(flagWords("--id", await askText(prompts, creationIdQuestion(call, "notification", "ops-hook"))));
  const hasKey = signingKeyFile !== undefined || signing_key !== undefined;
  if (!hasKey) entered.add(await prompts.select("Signing key:", KEY_CHOICES));
  return true;
}

const KEY_CHOICES = [
  { value: KEY_WORDS, name: "enter a key (hidden)" },
  { value: [], name: "none: deliveries are sent unsigned" },
];
