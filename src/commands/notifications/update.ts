import type { Command } from "commander";
import type { Answer } from "../../client/answer.ts";
import type { JsonObject } from "../../contract/json.ts";
import { type Notification, type UpdateNotificationRequest, updateNotificationSchema } from "../../contract/notification.ts";
import { operations } from "../../contract/operations.ts";
import { flagOf, judgeBody } from "../../flow/body-problems.ts";
import { readId } from "../../flow/ids.ts";
import { readJsonObject } from "../../flow/input-file.ts";
import { perform } from "../../flow/perform.ts";
import { Problems } from "../../flow/problems.ts";
import { commandLine } from "../../flow/shell-words.ts";
import type { Session } from "../../flow/session.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { readBefore } from "../read-before.ts";
import { isSecret, type KeyFlags, readSigningKey } from "./key-flags.ts";
import { notificationView } from "./view.ts";

export interface UpdateFlags extends KeyFlags {
  url?: string;
  type?: string;
  removeSigningKey?: true;
  file?: string;
  diff?: true;
}

/** `relayctl notifications update <id>`: interface.md, Update a notification; its three rules for the key are three gestures. */
export const notificationsUpdate: CommandFile<UpdateFlags> = {
  summary: "change a webhook target's URL or signing key",
  examples: [
    "relayctl notifications update ops-hook --url https://hooks.example.org/ops",
    "relayctl notifications update ops-hook --url https://hooks.example.org/ops --diff",
    "relayctl notifications update ops-hook --remove-signing-key --yes",
  ],
  resource: notificationView,
  define,
  run,
};

function define(command: Command): void {
  command
    .description("Change a webhook target. Without a key flag the signing key stays as it is.")
    .argument("<id>", "the notification's id, or - for one line of stdin")
    .optionsGroup("Fields")
    .option("--url <url>", "where deliveries go")
    .option("--type <type>", "webhook, the only type")
    .option("--signing-key-file <file>", "set the key from a file; - reads stdin")
    .option("--remove-signing-key", "remove the key: deliveries are then unsigned (asks)")
    .option("-i, --interactive", "ask for the key, hidden")
    .optionsGroup("Request")
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin")
    .option("--diff", "read first and tell what changes");
}

async function run(call: Call<UpdateFlags>): Promise<View> {
  const { id, body } = await typedUpdate(call);
  const before = await readBefore(call, (client) => client.notifications.get(id, { byRoute: true }));
  return await perform<Notification>(call, {
    ask: { operation: operations["notifications.update"], parameters: { notification_id: id }, body },
    title: `update notification ${id}`,
    act: body.signing_key === "" ? "removing a signing key" : "this change of a notification",
    id,
    resource: notificationView,
    send: (client) => client.notifications.update(id, body as UpdateNotificationRequest),
    receipt: (answer, session) => receipt(id, body, before, answer, session),
    lookAgain: (session) => commandLine(...session.flags, "notifications", "get", id),
  });
}

async function typedUpdate(call: Call<UpdateFlags>): Promise<{ id: string; body: JsonObject }> {
  const problems = new Problems();
  const { url, type, removeSigningKey, signingKeyFile, file } = call.flags;
  const id = await readId(call, problems, "id", call.operands[0]);
  const fromFile = file === undefined ? {} : await readJsonObject(call.app, file);
  if (removeSigningKey && signingKeyFile !== undefined) problems.add("--remove-signing-key", "cannot be given together with --signing-key-file");
  const key = removeSigningKey ? "" : await readSigningKey(call, problems);
  const typed = { ...(url !== undefined && { url }), ...(type !== undefined && { type }), ...(key !== undefined && { signing_key: key }) };
  const body: JsonObject = { ...fromFile, ...typed };
  if (typeof body.signing_key === "string" && body.signing_key) call.app.secrets.add(body.signing_key);
  judgeBody(problems, updateNotificationSchema, body, flagOf, isSecret);
  if (Object.keys(body).length === 0) problems.add("notifications update", "there is nothing to change; name a field");
  problems.throwIfAny("relayctl notifications update --help");
  return { id, body };
}

function receipt(id: string, body: JsonObject, before: Answer<Notification> | undefined, answer: Answer<Notification>, session: Session): string[] {
  const was = before?.data.url;
  const url = body.url === undefined ? [] : [typeof was === "string" ? `url ${was} → ${answer.data.url}` : `url → ${answer.data.url}`];
  const key = typeof body.signing_key === "string" ? [body.signing_key === "" ? "signing key removed" : "signing key set"] : [];
  const applied = `applied in ${session.name}: ${id} ${[...url, ...key].join(", ") || "unchanged"}`;
  const undoable = typeof was === "string" && body.url !== undefined && key.length === 0;
  return undoable ? [applied, `undo: ${commandLine(...session.flags, "notifications", "update", id, "--url", was)}`] : [applied];
}
