import type { JsonObject } from "../../contract/json.ts";
import { hideSecrets } from "../../session/hide-secrets.ts";
import { notificationView } from "../../views/notification.ts";
import type { CommandFile } from "../command.ts";
import { createNotification } from "./create-notification.ts";
import { type CreateFlags, creationFromFlags, defineCreateFlags, readSigningKey, warnOfRefusal } from "./flags.ts";

export const notificationsCreate: CommandFile<CreateFlags, JsonObject> = {
  summary: "Create a webhook notification",
  sends: "create",
  examples: [
    "relayctl notifications create --url https://hooks.example.org/relayer",
    "relayctl notifications create --id pager --url https://hooks.example.org/pager --type webhook",
    "relayctl notifications create --url https://hooks.example.org/relayer --dry-run",
  ],
  resource: notificationView,
  define: defineCreateFlags,
  interview: async (call) => (await import("./create-interview.ts")).createInterview(call),
  async prepare(call, problems) {
    const body = await creationFromFlags(call, problems);
    const key = await readSigningKey(call, problems);
    if (key !== undefined) body.signing_key = key;
    else if (typeof body.url === "string" && (body.signing_key ?? null) === null && call.app.stderr.isTerminal)
      await call.say({ note: "without a signing key, its deliveries are unsigned" });
    hideSecrets(call.app, body);
    await warnOfRefusal(call, body);
    return body;
  },
  run: createNotification,
};
