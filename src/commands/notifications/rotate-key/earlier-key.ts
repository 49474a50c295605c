import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { isJsonObject, type JsonValue } from "../../../contract/json.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Journal } from "../../../journal/journal.ts";
import { appliedOf, type RecordedWrite, writesNewestFirst } from "../../../journal/writes.ts";
import type { Rotation } from "./flags.ts";

/**
 * Returns what the journal knows about the keys of a rotation: that the new one was set before, or that the old one was
 * not; nothing if it cannot be read, since it only helps.
 */
export async function earlierKeyNotes(rotation: Rotation, session: Session): Promise<string[]> {
  const { id, key, isGenerated, oldKey, oldKeyFile } = rotation;
  // A key that was just generated was never used.
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
      ...(isSame ? [`note: the new key is the last one that was set from here, ${when}`] : []),
      ...(isOther ? [`warning: the key in ${oldKeyFile} is not the last one that was set from here, ${when}`] : []),
    ];
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    return [];
  }
}

/** Returns the newest write that set or removed the key of a notification, unless it was refused. */
async function lastKeyWrite(journal: Journal, server: string, id: string): Promise<RecordedWrite | undefined> {
  for await (const write of writesNewestFirst(journal)) {
    const { intent } = write;
    const isAbout = intent.server === server && intent.operation.startsWith("notifications.") && idOf(write) === id;
    if (isAbout && signingKeyIn(intent.body) !== undefined && appliedOf(write) !== "no") return write;
  }
  return undefined;
}

/** Returns the ID of the notification that a write is about. */
function idOf({ intent: { ids, body } }: RecordedWrite): JsonValue | undefined {
  return ids.notification_id ?? (isJsonObject(body) ? body.id : undefined);
}

/** Returns the fingerprint of a key in a recorded body, and "" for a removal. */
function signingKeyIn(body: JsonValue | undefined): string | undefined {
  return isJsonObject(body) && typeof body.signing_key === "string" ? body.signing_key : undefined;
}
