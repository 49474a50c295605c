import { readId } from "../../command-support/ids.ts";
import { askText, flagWords } from "../../command-support/prompting/prompts.ts";
import { dryRunReach } from "../../command-support/shown.ts";
import { Problems } from "../../contract/problems.ts";
import type { Notification } from "../../contract/resources/notification.ts";
import type { Choice } from "../../terminal/prompts.ts";
import type { Call } from "../command.ts";
import { KEY_WORDS, notificationChangeFromFlags, type UpdateFlags, URL_QUESTION } from "./flags.ts";

export async function updateNotificationInterview(call: Call<UpdateFlags>): Promise<boolean> {
  const { signingKeyFile, removeSigningKey, interactive } = call.flags;
  if (!interactive) return true;
  const problems = new Problems();
  const id = await readId(call, problems, "id", call.args[0]);
  const body = await notificationChangeFromFlags(call, problems);
  // No prompts while typed input is wrong.
  if (problems.found.length > 0) return true;
  const now = await readNotificationNow(call, id);
  const before = call.entered.current();
  if (body.url === undefined) await askUrl(call, now);
  const namesKey = signingKeyFile !== undefined || removeSigningKey || body.signing_key !== undefined;
  if (!namesKey) call.entered.add(await (await call.app.prompts()).select("Signing key:", changeChoices(now)));
  return call.entered.current() !== before || namesKey || Object.keys(body).length > 0;
}

/** Reads the notification. A dry run reads nothing, except with `--diff`. */
async function readNotificationNow(call: Call, id: string): Promise<Notification | undefined> {
  if (dryRunReach(call) === "nothing") return undefined;
  return (await (await call.session()).client.notifications.get(id)).data;
}

async function askUrl({ app, entered }: Call, now: Notification | undefined): Promise<void> {
  const url = now?.url ?? undefined;
  const answer = await askText(await app.prompts(), {
    ...URL_QUESTION,
    problem: (typed) => (typed === url ? undefined : URL_QUESTION.problem(typed)),
    ...(url === undefined ? { question: "URL (Enter keeps it):", optional: true } : { suggestion: url }),
  });
  if (answer !== url) entered.add(flagWords("--url", answer));
}

function changeChoices(now: Notification | undefined): Choice<string[]>[] {
  const has = now?.has_signing_key;
  const state = has === true ? " (set, never shown)" : has === false ? " (none)" : "";
  return [
    { value: [], name: `keep it${state}` },
    { value: KEY_WORDS, name: "set a new key (hidden)" },
    {
      value: ["--remove-signing-key"],
      name: "remove it: deliveries will be unsigned",
      ...(has === false && { disabled: "none is set" }),
    },
  ];
}
