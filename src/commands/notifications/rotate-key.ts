import type { Client } from "../../client/client.ts";
import { readId } from "../../command-support/ids.ts";
import { type PlannedWrite, type Receipt, runWrite } from "../../command-support/prepared-write.ts";
import { flagWords } from "../../command-support/prompting/prompts.ts";
import { readSecretFlag } from "../../command-support/prompting/secret-flag.ts";
import { isDryRun } from "../../command-support/shown.ts";
import { isJsonObject, type JsonValue, objectIn } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { Problems } from "../../contract/problems.ts";
import type { Notification } from "../../contract/resources/notification.ts";
import { DELIVERY_ATTEMPTS, webhookRetryTime } from "../../contract/webhook/attempts.ts";
import { RelayctlError } from "../../errors.ts";
import { appliedOf, type Journal, type RecordedWrite, walkWrites } from "../../journal/journal.ts";
import type { Message, Row } from "../../message.ts";
import { cannotUndoText, receiptUndoCommand, receiptUndoLine, receiptWords } from "../../session/receipt-words.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { escapeText } from "../../terminal/escape.ts";
import type { View } from "../../terminal/view.ts";
import { alignWidths } from "../../terminal/width.ts";
import { notificationView } from "../../views/notification.ts";
import type { Call, CommandFile } from "../command.ts";
import { createGeneratedKeyFile, newGeneratedKey, requireKeyOut, validateGeneratedKey } from "../generated-key.ts";
import { notificationArgument } from "../resource-arguments.ts";
import { readNotificationKeyFlag, warnOfNotificationFlags } from "./flags.ts";
import { defineRotateKeyFlags, type RotateFlags, type Rotation, rotateKeyFile } from "./rotate-key/flags.ts";
import { undoOfNotification } from "./send-change.ts";

const SECOND = 1000;
const SIGNED = "from now on the new key signs every attempt, also the retries of earlier events";

function questionLines({ keyFile, isGenerated }: Rotation, { url, has_signing_key: had }: Notification): Row[] {
  const written = isGenerated ? [["new key", `in ${escapeText(String(keyFile))}, for the receiver`]] : [];
  const old = typeof had === "boolean" ? `${had ? "set" : "none"} → ` : "→ ";
  return alignWidths([
    ["url", escapeText(String(url ?? ""))],
    ["signing key", `${old}${had ? "another" : "set"}`],
    ...written,
  ]);
}

function questionEffects({ has_signing_key: had }: Notification): string[] {
  const { least, most } = webhookRetryTime();
  const first = "deliveries will be signed: a receiver that verifies signatures must already accept the key";
  const next =
    "deliveries will be signed only with the new key: the receiver must already accept it, next to the old one";
  const lost = `an event that the receiver refuses is lost after ${DELIVERY_ATTEMPTS} attempts, within ${least / SECOND} to ${most / SECOND} s`;
  return [had === false ? first : next, lost];
}

/**
 * Returns the receipt of a rotation: since when, and how long the old key still matters. The service reads the key
 * before each attempt (facts 7.1), so only earlier attempts have the old signature; they have no time limit. After the
 * longest retries, each event that was first signed with the old key has ended.
 */
function rotationReceipt(rotation: Rotation, before: Notification, session: Session): Receipt {
  const { id } = rotation;
  const had = before.has_signing_key;
  const { most } = webhookRetryTime();
  const both = [
    "attempts in progress still have the old signature, and the service gives them no time limit",
    `accept both keys for ${most / SECOND} s, and until open requests end`,
  ];
  return {
    applied: receiptWords.applied(session.name, `${had === false ? "first" : "new"} signing key for ${id}`),
    effects: [SIGNED, ...(had === false ? [] : [...both, ...watchLine(rotation)])],
    next: goBack(rotation, before, session),
  };
}

function watchLine({ keyFile = "-", oldKeyFile = "-" }: Rotation): { see: string }[] {
  if (keyFile === "-" || oldKeyFile === "-") return [];
  const keys = [keyFile, oldKeyFile].flatMap((file) => flagWords("--signing-key-file", file));
  return [{ see: commandLine("webhooks", "listen", ...keys) }];
}

function goBack({ id, key, oldKeyFile }: Rotation, before: Notification, session: Session): Message {
  if (before.has_signing_key === false || oldKeyFile === undefined || oldKeyFile === "-")
    return receiptUndoLine(undoOfNotification({ signing_key: key }, before), session, "notifications", "update", id);
  const undo = receiptUndoCommand(
    { flags: flagWords("--signing-key-file", oldKeyFile) },
    session,
    "notifications",
    "rotate-key",
    id,
  );
  return "because" in undo ? cannotUndoText(undo.because) : { undo: undo.line };
}

/** Writes a new key to its file, prompts, and sends it. The file stays: the receiver may already have the key. */
export async function rotateKey(call: Call, rotation: Rotation): Promise<View> {
  const { id, key, keyFile, isGenerated } = rotation;
  const progress = { isWritten: false };
  const writeKey = async () => {
    if (!isGenerated || keyFile === undefined) return;
    await createGeneratedKeyFile(call, { key, path: keyFile }, async () => againLine(rotation, await call.session()));
    progress.isWritten = true;
  };
  if (isDryRun(call)) await explainDryRun(call, rotation);
  try {
    return await runWrite(call, {
      request: {
        operation: operations["notifications.update"],
        parameters: { notification_id: id },
        body: { signing_key: key },
      },
      title: `rotate the signing key of notification ${id}`,
      act: "rotating a signing key",
      id,
      resource: notificationView,
      ...(!isDryRun(call) && { confirms: true }),
      prepare: (session) => prepareRotation(call, rotation, session, writeKey),
    } satisfies PlannedWrite<Notification>);
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.applied !== "no") throw error;
    const { isWritten } = progress;
    if (!isWritten && error.failure !== "unmet") throw error;
    const line = againLine(rotation, await call.session());
    const because = isWritten ? [`the new key stays in ${keyFile}; the service does not use it`] : [];
    throw error.with({ because, hint: line, ...(isWritten && { again: line }) });
  }
}

async function prepareRotation(call: Call, rotation: Rotation, session: Session, writeKey: () => Promise<void>) {
  const { id, key } = rotation;
  const before = await session.client.notifications.get(id);
  for (const note of await earlierKeyNotes(rotation, session)) await call.say(note);
  await writeKey();
  const body = { signing_key: key };
  return {
    request: { operation: operations["notifications.update"], parameters: { notification_id: id }, body },
    before,
    preview: () => questionLines(rotation, before.data),
    effects: questionEffects(before.data),
    send: async (client: Client) => {
      if (rotation.isPreChecked)
        await (await import("./rotate-key/pre-check.ts")).preCheckRotation(call, rotation, before.data);
      return await client.notifications.update(id, body, { before: before.data }).catch(explained);
    },
    receipt: () => rotationReceipt(rotation, before.data, session),
    readAgain: againLine(rotation, session),
  };

  function explained(error: unknown): never {
    if (!(error instanceof RelayctlError) || error.applied !== "unknown") throw error;
    const { keyFile } = rotation;
    const where = keyFile === undefined || keyFile === "-" ? "the new key" : `the new key, which is in ${keyFile},`;
    throw error.with({
      because: [
        `until this is settled, the receiver must accept ${where} and the old one`,
        "setting the same key again does no harm, and settles it",
      ],
    });
  }
}

function againLine({ id, keyFile = "-", oldKeyFile, isPreChecked }: Rotation, { flags }: Session): string {
  const files = [...flagWords("--signing-key-file", keyFile), ...flagWords("--old-key-file", oldKeyFile)];
  return commandLine(...flags, "notifications", "rotate-key", id, ...files, ...(isPreChecked ? ["--pre-check"] : []));
}

async function explainDryRun(call: Call, { isGenerated, keyFile, isPreChecked }: Rotation): Promise<void> {
  if (isPreChecked) await call.say({ note: "a dry run sends no test delivery" });
  if (isGenerated) await call.say({ note: `no key was written to ${keyFile}; SIGNING_KEY stands for a generated key` });
}

/** Returns notes if the journal shows that the new key was set before, or that the old one was not. */
async function earlierKeyNotes(rotation: Rotation, session: Session): Promise<Message[]> {
  const { id, key, isGenerated, oldKey, oldKeyFile } = rotation;
  // A newly generated key was never used.
  if (isGenerated && oldKey === undefined) return [];
  try {
    const journal = await session.journal();
    const last = journal && (await lastKeyWrite(journal, session.origin, id));
    const recorded = last && signingKeyIn(last.intent.body);
    if (!journal || !last || !recorded) return [];
    const history = commandLine(...session.flags, "history", "show", last.intent.run);
    const when = `on ${last.intent.time} (${history})`;
    const isSame = !isGenerated && (await journal.fingerprint(key)) === recorded;
    const isOther = oldKey !== undefined && (await journal.fingerprint(oldKey)) !== recorded;
    return [
      ...(isSame ? [{ note: `the new key is the last key that was set from here, ${when}` }] : []),
      ...(isOther ? [{ warning: `the key in ${oldKeyFile} is not the last key that was set from here, ${when}` }] : []),
    ];
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    return [];
  }
}

async function lastKeyWrite(journal: Journal, server: string, id: string): Promise<RecordedWrite | undefined> {
  for await (const write of walkWrites(journal)) {
    const { intent } = write;
    const isAbout = intent.server === server && intent.operation.startsWith("notifications.") && idIn(write) === id;
    if (isAbout && signingKeyIn(intent.body) !== undefined && appliedOf(write) !== "no") return write;
  }
  return undefined;
}

function idIn({ intent: { ids, body } }: RecordedWrite): JsonValue | undefined {
  return ids.notification_id ?? objectIn(body).id;
}

function signingKeyIn(body: JsonValue | undefined): string | undefined {
  return isJsonObject(body) && typeof body.signing_key === "string" ? body.signing_key : undefined;
}

export const notificationsRotateKey: CommandFile<RotateFlags, Rotation> = {
  summary: "Replace a notification's signing key",
  sends: "patch",
  ends: { ok: "applied", unmet: "not accepted by the receiver" },
  examples: [
    "relayctl notifications rotate-key ops-hook --generate --key-out new.key",
    "relayctl notifications rotate-key ops-hook --signing-key-file new.key --old-key-file old.key --yes",
    "relayctl notifications rotate-key ops-hook --signing-key-file new.key --pre-check --dry-run",
  ],
  resource: notificationView,
  args: [notificationArgument],
  description:
    "Replace the signing key of a notification (requires confirmation). The receiver must accept the new key before the rotation, and the old key for a while after it. A notification without a key gets its first one.",
  define: defineRotateKeyFlags,
  validateFlags: ({ flags }, problems) => validateGeneratedKey(flags, rotateKeyFile(flags), problems),
  interview: async (call) => (await import("./rotate-key/interview.ts")).rotateInterview(call),
  prepare: readRotation,
  run: rotateKey,
};

async function readRotation(call: Call<RotateFlags>, problems: Problems): Promise<Rotation> {
  const { generate, keyOut, signingKeyFile, oldKeyFile, preCheck = false } = call.flags;
  const id = await readId(call, problems, "id", call.args[0]);
  validateGeneratedKey(call.flags, rotateKeyFile(call.flags), problems);
  const isMissing = !generate && signingKeyFile === undefined && !problems.has("--key-out");
  if (isMissing) problems.add("notifications rotate-key", "needs --generate with --key-out, or --signing-key-file");
  requireKeyOut(call.flags, problems);
  const oldKey = await readSecretFlag(call, problems, {
    flag: "--old-key-file",
    file: oldKeyFile,
    question: "Current signing key (hidden):",
    problem: (key) => (key === "" ? "enter the current key" : undefined),
  });
  const key = generate ? newGeneratedKey(call) : await readNotificationKeyFlag(call, problems);
  if (key !== undefined && key === oldKey) problems.add("--old-key-file", "is the same key as the new one");
  await warnOfNotificationFlags(call, key === undefined ? {} : { signing_key: key });
  const keyFile = generate ? keyOut : signingKeyFile;
  return { id, key: key ?? "", keyFile, isGenerated: generate === true, oldKey, oldKeyFile, isPreChecked: preCheck };
}
