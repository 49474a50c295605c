import type { Call } from "../../command-support/call.ts";
import { idProblem } from "../../contract/id.ts";
import type { Notification } from "../../contract/resources/notification.ts";
import { listed } from "../../session/listed.ts";
import type { Choice } from "../../terminal/prompts.ts";
import type { Argument } from "../command.ts";
import { choiceRows } from "../flags/choice-rows.ts";

export const notificationArgument: Argument = {
  name: "<id>",
  description: "Notification ID (`-` reads one line from stdin)",
  noun: "notification",
  choices: notificationChoices,
  problem: idProblem,
};

export async function notificationChoices(call: Call): Promise<readonly Choice<string>[]> {
  const { client } = await call.session();
  const notifications = await listed<Notification>(client.notifications.list());
  return choiceRows(
    notifications.map(({ id, url, has_signing_key }) => ({
      value: id,
      about: [url, has_signing_key ? "signed" : "not signed"],
    })),
  );
}
