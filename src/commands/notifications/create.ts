import type { Command } from "commander";
import type { JsonObject } from "../../contract/json.ts";
import { NOTIFICATION_TYPES } from "../../contract/notification.ts";
import { hideSecrets } from "../../flow/hide-secrets.ts";
import type { Problems } from "../../flow/problems.ts";
import { choiceOption } from "../choice-option.ts";
import type { Call, CommandFile } from "../command.ts";
import { creationFromFlags } from "./body-from-flags.ts";
import { createNotification } from "./create-notification.ts";
import type { CreateFlags } from "./flags.ts";
import { readSigningKey } from "./key-flags.ts";
import { warnOfRefusal } from "./service-rules.ts";
import { notificationView } from "./view.ts";

/** `relayctl notifications create`: interface.md, Create a notification. */
export const notificationsCreate: CommandFile<CreateFlags, JsonObject> = {
  summary: "add a webhook target",
  sends: "create",
  examples: [
    "relayctl notifications create --url https://hooks.example.org/relayer",
    "relayctl notifications create --id pager --url https://hooks.example.org/pager --type webhook",
    "relayctl notifications create --url https://hooks.example.org/relayer --dry-run",
  ],
  resource: notificationView,
  define,
  interview: async (call) => (await import("./create-interview.ts")).createInterview(call),
  prepare,
  run: createNotification,
};

function define(command: Command): void {
  command
    .description(
      "Add a webhook target. With a signing key its deliveries carry a signature that the receiver can check.",
    )
    .optionsGroup("Fields")
    .option("--url <url>", "where deliveries go (required)")
    .addOption(choiceOption("--type <type>", "the only type", NOTIFICATION_TYPES))
    .option("--id <id>", "an id of your own; without it one is made")
    .option("--signing-key-file <file>", "the key, 32 characters or more; - reads stdin, hidden at a terminal")
    .optionsGroup("Request")
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin");
}

async function prepare(call: Call<CreateFlags>, problems: Problems): Promise<JsonObject> {
  const body = await creationFromFlags(call, problems);
  const key = await readSigningKey(call, problems);
  if (key !== undefined) body.signing_key = key;
  hideSecrets(call.app, body);
  await warnOfRefusal(call, body);
  return body;
}
