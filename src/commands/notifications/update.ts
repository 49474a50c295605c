import { readId } from "../../command-support/ids.ts";
import { runWrite } from "../../command-support/prepared-write.ts";
import { canPrompt } from "../../command-support/prompting/prompts.ts";
import { repeatedCommand } from "../../command-support/repeated-command.ts";
import type { Problems } from "../../contract/problems.ts";
import type { Notification } from "../../contract/resources/notification.ts";
import { hideSecrets } from "../../session/hide-secrets.ts";
import { userShell } from "../../shell/shell-words.ts";
import { notificationView } from "../../views/notification.ts";
import type { Call, CommandFile } from "../command.ts";
import type { ResourceChange } from "../read-before.ts";
import { notificationArgument } from "../resource-arguments.ts";
import {
  defineNotificationUpdateFlags,
  notificationChangeFromFlags,
  readNotificationKeyFlag,
  type UpdateFlags,
  warnOfNotificationFlags,
} from "./flags.ts";
import { notificationChange } from "./send-change.ts";

export const notificationsUpdate: CommandFile<UpdateFlags, ResourceChange<Notification>> = {
  summary: "Update a notification's URL or signing key",
  sends: "patch",
  examples: [
    "relayctl notifications update ops-hook --url https://hooks.example.org/ops",
    "relayctl notifications update ops-hook --url https://hooks.example.org/ops --diff",
    "relayctl notifications update ops-hook --remove-signing-key --yes",
  ],
  resource: notificationView,
  args: [notificationArgument],
  description: "Update a notification. Without a key flag, the signing key stays as it is.",
  define: defineNotificationUpdateFlags,
  validateFlags(call, problems) {
    const { url, type, signingKeyFile, removeSigningKey, file, interactive } = call.flags;
    const named = [url, type, signingKeyFile, removeSigningKey, file, interactive];
    if (named.every((flag) => flag === undefined)) refuseNothing(call, problems);
  },
  interview: async (call) => (await import("./update-interview.ts")).updateNotificationInterview(call),
  async prepare(call, problems) {
    const { removeSigningKey, signingKeyFile } = call.flags;
    const id = await readId(call, problems, "id", call.args[0]);
    const body = await notificationChangeFromFlags(call, problems);
    const setsKey = signingKeyFile !== undefined;
    if (removeSigningKey && setsKey) problems.add("--remove-signing-key", "cannot be combined with a key to set");
    const key = removeSigningKey ? "" : await readNotificationKeyFlag(call, problems);
    if (key !== undefined) body.signing_key = key;
    hideSecrets(call.app, body);
    await warnOfNotificationFlags(call, body);
    if (Object.keys(body).length === 0 && !setsKey && problems.found.length === 0) refuseNothing(call, problems);
    return { id, body };
  },
  run: async (call, change) => await runWrite(call, notificationChange(call, change)),
};

function refuseNothing(call: Call, problems: Problems): void {
  problems.add("notifications update", "nothing to change; specify a field");
  if (canPrompt(call.app, call.common)) problems.hint = repeatedCommand(call.argv, ["-i"], userShell(call.app.env));
}
