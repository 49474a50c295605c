import type { Command } from "commander";
import type { JsonObject } from "../../contract/json.ts";
import { NOTIFICATION_TYPES, updateNotificationSchema } from "../../contract/notification.ts";
import { placesOf, readBodyFile } from "../../flow/body-file.ts";
import { judgeBody } from "../../flow/body-problems.ts";
import { readId } from "../../flow/ids.ts";
import type { Problems } from "../../flow/problems.ts";
import type { DiffFlag } from "../../flow/shown.ts";
import { choiceOption } from "../choice-option.ts";
import type { Call, CommandFile } from "../command.ts";
import { DIFF } from "../diff-flag.ts";
import { hideKey, type KeyFlags, readSigningKey } from "./key-flags.ts";
import { notificationOperand } from "./operand.ts";
import { type NotificationChange, sendChange } from "./send-change.ts";
import { notificationView } from "./view.ts";

interface UpdateFlags extends KeyFlags, DiffFlag {
  url?: string;
  type?: string;
  removeSigningKey?: true;
  file?: string;
}

/** `relayctl notifications update <id>`: interface.md, Update a notification; its three rules for the key are three gestures. */
export const notificationsUpdate: CommandFile<UpdateFlags, NotificationChange> = {
  summary: "change a webhook target's URL or signing key",
  sends: "patch",
  examples: [
    "relayctl notifications update ops-hook --url https://hooks.example.org/ops",
    "relayctl notifications update ops-hook --url https://hooks.example.org/ops --diff",
    "relayctl notifications update ops-hook --remove-signing-key --yes",
  ],
  resource: notificationView,
  operands: [notificationOperand],
  define,
  prepare,
  run: sendChange,
};

function define(command: Command): void {
  command
    .description("Change a webhook target. Without a key flag the signing key stays as it is.")
    .optionsGroup("Fields")
    .option("--url <url>", "where deliveries go")
    .addOption(choiceOption("--type <type>", "the only type", NOTIFICATION_TYPES))
    .option("--signing-key-file <file>", "set the key from a file; - reads stdin")
    .option("--remove-signing-key", "remove the key: deliveries are then unsigned (asks)")
    .option("-i, --interactive", "ask for the key, hidden")
    .optionsGroup("Request")
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin")
    .option(...DIFF);
}

async function prepare(call: Call<UpdateFlags>, problems: Problems): Promise<NotificationChange> {
  const { url, type, removeSigningKey, signingKeyFile, interactive, file } = call.flags;
  const id = await readId(call, problems, "id", call.operands[0]);
  const fromFile = await readBodyFile(call.app, file, problems);
  const typed = { ...(url !== undefined && { url }), ...(type !== undefined && { type }) };
  const body: JsonObject = { ...fromFile.members, ...typed };
  hideKey(call, body);
  judgeBody(problems, updateNotificationSchema, body, placesOf(typed, fromFile));
  const setsKey = signingKeyFile !== undefined || interactive === true;
  if (removeSigningKey && setsKey) problems.add("--remove-signing-key", "cannot be given together with a key to set");
  const key = removeSigningKey ? "" : await readSigningKey(call, problems);
  if (key !== undefined) body.signing_key = key;
  hideKey(call, body);
  const named = Object.keys(body).length > 0 || setsKey;
  if (!named && problems.found.length === 0)
    problems.add("notifications update", "there is nothing to change; name a field");
  return { id, body };
}
