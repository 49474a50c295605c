import type { Command } from "commander";
import type { JsonObject } from "../../contract/json.ts";
import { type CreateNotificationRequest, createNotificationSchema, type Notification } from "../../contract/notification.ts";
import { operations } from "../../contract/operations.ts";
import { RelayctlError } from "../../errors.ts";
import { flagOf, judgeBody } from "../../flow/body-problems.ts";
import { readJsonObject } from "../../flow/input-file.ts";
import { perform } from "../../flow/perform.ts";
import { Problems } from "../../flow/problems.ts";
import { commandLine } from "../../flow/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { isSecret, type KeyFlags, readSigningKey } from "./key-flags.ts";
import { notificationView } from "./view.ts";

export interface CreateFlags extends KeyFlags {
  url?: string;
  type?: string;
  id?: string;
  file?: string;
}

/** `relayctl notifications create`: interface.md, Create a notification. */
export const notificationsCreate: CommandFile<CreateFlags> = {
  summary: "add a webhook target",
  examples: [
    "relayctl notifications create --url https://hooks.example.org/relayer",
    "relayctl notifications create --id pager --url https://hooks.example.org/pager --type webhook",
    "relayctl notifications create --url https://hooks.example.org/relayer --dry-run",
  ],
  resource: notificationView,
  define,
  run,
};

function define(command: Command): void {
  command
    .description("Add a webhook target. With a signing key its deliveries carry a signature that the receiver can check.")
    .optionsGroup("Fields")
    .option("--url <url>", "where deliveries go (required)")
    .option("--type <type>", "webhook, the only type")
    .option("--id <id>", "an id of your own; without it one is made")
    .option("--signing-key-file <file>", "the key, 32 characters or more; - reads stdin")
    .option("-i, --interactive", "ask for the key, hidden")
    .optionsGroup("Request")
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin");
}

async function run(call: Call<CreateFlags>): Promise<View> {
  const body = await createBody(call);
  const id = typeof body.id === "string" ? body.id : undefined;
  if (id !== undefined) await refuseTaken(call, id);
  return await perform<Notification>(call, {
    ask: { operation: operations["notifications.create"], body },
    title: `create notification ${id ?? ""}`.trim(),
    act: "creating a notification",
    id: id ?? "",
    resource: notificationView,
    send: (client) => client.notifications.create(body as unknown as CreateNotificationRequest),
    receipt: (answer, session) => [`created in ${session.name}: ${answer.data.id}`],
    lookAgain: (session) => commandLine(...session.flags, "notifications", ...(id ? ["get", id] : ["list"])),
  });
}

async function createBody(call: Call<CreateFlags>): Promise<JsonObject> {
  const problems = new Problems();
  const { url, type, id, file } = call.flags;
  const fromFile = file === undefined ? {} : await readJsonObject(call.app, file);
  const key = await readSigningKey(call, problems);
  const typed = { ...(url !== undefined && { url }), ...(id !== undefined && { id }), ...(type !== undefined && { type }) };
  const body: JsonObject = { ...fromFile, ...typed, ...(key !== undefined && { signing_key: key }) };
  if (typeof body.signing_key === "string" && body.signing_key) call.app.secrets.add(body.signing_key);
  if (body.url === undefined) problems.add("--url", "is required: where deliveries go");
  else judgeBody(problems, createNotificationSchema, body, flagOf, isSecret);
  problems.throwIfAny("relayctl notifications create --help");
  return body;
}

/** The real service answers 500 for an id in use (service-facts 6), which says nothing; so it is looked up first. */
async function refuseTaken(call: Call<CreateFlags>, id: string): Promise<void> {
  if (call.common.dryRun || call.common.curl) return;
  const { client, flags } = await call.session();
  try {
    await client.notifications.get(id);
  } catch (error) {
    if (error instanceof RelayctlError && error.failure === "not_found") return;
    throw error;
  }
  throw new RelayctlError("conflict", `a notification with the id ${id} exists already`, {
    because: ["nothing was sent"],
    hint: commandLine(...flags, "notifications", "get", id),
  });
}
