import { isSameVersion, type Version, versionOf } from "../chain/verdict/version.ts";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { isBeingCanceled, isNoop } from "../contract/transaction/transaction-state.ts";
import type { Entry } from "../journal/entry.ts";
import type { Journal } from "../journal/journal.ts";

/**
 * Returns whether a record that shows another version now may have been created with this one: the journal knows that it
 * had it before a replacement or a cancellation, or it was canceled and the journal does not know what it was before. A
 * replacement by another client shows nowhere.
 */
export async function mayHaveBeen(journal: Journal, record: Transaction, wanted: Version): Promise<boolean> {
  const known = (await journal.find(record.id)).flatMap(shownIn).flatMap((part) => {
    // The data of a record is not in the journal.
    const version = versionOf({ data: wanted.data, ...part });
    return version && !isNoop({ ...record, ...part, id: record.id }) ? version : [];
  });
  if (known.length > 0) return known.some((version) => isSameVersion(version, wanted));
  return isBeingCanceled(record) || isNoop(record);
}

/** What an entry shows of the versions that a transaction had. */
function shownIn(entry: Entry): JsonObject[] {
  const parts = entry.type === "outcome" ? [entry.after] : [entry.before, entry.body];
  return parts.filter((part): part is JsonObject => isJsonObject(part));
}
