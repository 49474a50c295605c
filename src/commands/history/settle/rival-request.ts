import { isSameVersion, type Version, versionOf } from "../../../chain/verdict/version.ts";
import { isJsonObject } from "../../../contract/json.ts";
import type { Intent } from "../../../journal/entry.ts";
import type { Journal } from "../../../journal/journal.ts";
import { appliedOf, writesOf } from "../../../journal/writes.ts";

/**
 * Returns another recorded write that may have made a transaction what a replacement or a cancellation asks for: what the
 * service and the chain show can then be its result. Must be called after they were read, since an intent is recorded
 * before its request leaves.
 * @param id of the transaction
 */
export async function rivalRequest(journal: Journal, own: Intent, id: string): Promise<Intent | undefined> {
  const writes = writesOf(await journal.find(id));
  const rival = writes.find(
    (write) =>
      write.intent.id !== own.id &&
      write.intent.server === own.server &&
      appliedOf(write) !== "no" &&
      asksForSame(own, write.intent),
  );
  return rival?.intent;
}

/** A new transaction is the version that a replacement may ask for again. */
function asksForSame(own: Intent, other: Intent): boolean {
  if (own.operation === "tx.cancel") return other.operation === own.operation;
  if (other.operation !== own.operation && other.operation !== "tx.send") return false;
  const [wanted, theirs] = [requestedVersion(own), requestedVersion(other)];
  return wanted !== undefined && theirs !== undefined && isSameVersion(wanted, theirs);
}

function requestedVersion({ body }: Intent): Version | undefined {
  return isJsonObject(body) ? versionOf(body) : undefined;
}
