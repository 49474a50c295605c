import type { Command } from "commander";
import type { JsonObject } from "../../contract/json.ts";
import { createNotificationSchema, NOTIFICATION_TYPES } from "../../contract/notification.ts";
import { placesOf, readBodyFile } from "../../flow/body-file.ts";
import { judgeBody } from "../../flow/body-problems.ts";
import { judgeId } from "../../flow/ids.ts";
import type { Problems } from "../../flow/problems.ts";
import { choiceOption } from "../choice-option.ts";
import type { Call, CommandFile } from "../command.ts";
import { hideKey, type KeyFlags, readSigningKey } from "./key-flags.ts";
import { sendCreation } from "./send-creation.ts";
import { notificationView } from "./view.ts";

interface CreateFlags extends KeyFlags {
  url?: string;
  type?: string;
  id?: string;
  file?: string;
}

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
  prepare,
  run: sendCreation,
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
    .option("--signing-key-file <file>", "the key, 32 characters or more; - reads stdin")
    .option("-i, --interactive", "ask for the key, hidden")
    .optionsGroup("Request")
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin");
}

async function prepare(call: Call<CreateFlags>, problems: Problems): Promise<JsonObject> {
  const { url, type, id, file } = call.flags;
  const fromFile = await readBodyFile(call.app, file, problems);
  const typed = {
    ...(url !== undefined && { url }),
    ...(id !== undefined && { id }),
    ...(type !== undefined && { type }),
  };
  const placeOf = placesOf(typed, fromFile);
  const body: JsonObject = { ...fromFile.members, ...typed };
  hideKey(call, body);
  if (body.url === undefined) problems.add("--url", "is required: where deliveries go");
  if (typeof body.id === "string") judgeId(problems, placeOf("id"), body.id);
  judgeBody(problems, createNotificationSchema, body, placeOf);
  const key = await readSigningKey(call, problems);
  if (key !== undefined) body.signing_key = key;
  hideKey(call, body);
  return body;
}
