import type { JsonObject } from "../../contract/json.ts";
import type { CreateNotificationRequest } from "../../contract/resources/notification.ts";
import { hideSecrets } from "../../session/hide-secrets.ts";
import { notificationView } from "../../views/notification.ts";
import type { CommandFile } from "../command.ts";
import { sendCreation } from "../send-creation.ts";
import {
  type CreateFlags,
  defineNotificationFlags,
  notificationFromFlags,
  readNotificationKeyFlag,
  warnOfNotificationFlags,
} from "./flags.ts";

export const notificationsCreate: CommandFile<CreateFlags, JsonObject> = {
  summary: "Create a webhook notification",
  sends: "create",
  examples: [
    "relayctl notifications create --url https://hooks.example.org/relayer",
    "relayctl notifications create --id pager --url https://hooks.example.org/pager --type webhook",
    "relayctl notifications create --url https://hooks.example.org/relayer --dry-run",
  ],
  resource: notificationView,
  description:
    "Create a webhook notification. With a signing key, each delivery carries a signature that the receiver can verify.",
  define: defineNotificationFlags,
  interview: async (call) => (await import("./create-interview.ts")).createNotificationInterview(call),
  async prepare(call, problems) {
    const body = await notificationFromFlags(call, problems);
    const key = await readNotificationKeyFlag(call, problems);
    if (key !== undefined) body.signing_key = key;
    else if (typeof body.url === "string" && (body.signing_key ?? null) === null && call.app.stderr.isTerminal)
      await call.say({ note: "without a signing key, its deliveries are unsigned" });
    hideSecrets(call.app, body);
    await warnOfNotificationFlags(call, body);
    return body;
  },
  run: (call, body) =>
    sendCreation(call, {
      noun: "notification",
      resource: notificationView,
      body,
      create: (client) => client.notifications.create(body as unknown as CreateNotificationRequest),
    }),
};
