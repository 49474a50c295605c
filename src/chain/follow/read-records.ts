import type { Client } from "../../client/client.ts";
import type { Clock } from "../../client/clock.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../errors.ts";
import type { Recall } from "./follow-request.ts";
import { type Followed, isFollowedGone, keepFollowedRecord } from "./followed.ts";

/** The most transactions of a relayer that are read one by one; beyond it, a page of its list is read. */
export const MOST_SINGLE = 4;
const PAGE = 100;

export interface RecordReads {
  client: Pick<Client, "tx">;
  clock: Pick<Clock, "elapsed">;
  recall?: Recall | undefined;
}

/**
 * Reads the newest records of transactions of one relayer. A temporary failure is kept as trouble. A missing record is
 * a miss if the transaction is known from elsewhere: services delete final records (facts 5.1).
 * @throws RelayctlError if a read fails for good, or if a transaction is not known anywhere
 */
export async function readRecords(reads: RecordReads, relayerId: string, all: readonly Followed[]): Promise<void> {
  const there = all.filter(({ target }) => !target.isGone);
  const left = there.length > MOST_SINGLE ? await readPage(reads, relayerId, there) : there;
  const longestAgo = [...left].sort((one, other) => one.readAt - other.readAt).slice(0, MOST_SINGLE);
  for (const followed of longestAgo) await readOne(reads, followed);
  await recallGone(reads, relayerId, all.filter(isFollowedGone));
}

async function recallGone({ recall }: RecordReads, relayerId: string, gone: readonly Followed[]): Promise<void> {
  const unknown = gone.filter(({ records }) => !records.some(({ hash }) => hash));
  if (!recall || unknown.length === 0) return;
  const found = await recall(
    relayerId,
    unknown.map(({ target }) => target.id),
  );
  for (const followed of unknown) {
    const { records = [], isPartial } = found.get(followed.target.id) ?? {};
    if (records.length > 0) followed.records.splice(0, Number.POSITIVE_INFINITY, ...records);
    followed.isPartial = isPartial === true;
  }
}

async function readPage(reads: RecordReads, relayerId: string, all: readonly Followed[]): Promise<readonly Followed[]> {
  const found = new Map<string, Transaction>();
  try {
    for await (const { items } of reads.client.tx.list(relayerId, { page: 1, perPage: PAGE })) {
      for (const item of items) found.set(item.id, item);
    }
  } catch (error) {
    if (!isPassing(error)) throw error;
    for (const followed of all) followed.standing = { ...followed.standing, trouble: error };
    return [];
  }
  return all.filter((followed) => {
    const record = found.get(followed.target.id);
    if (record) keepRecord(reads, followed, record);
    return !record;
  });
}

async function readOne(reads: RecordReads, followed: Followed): Promise<void> {
  const { relayerId, id } = followed.target;
  try {
    keepRecord(reads, followed, (await reads.client.tx.get(relayerId, id)).data);
  } catch (error) {
    followed.readAt = reads.clock.elapsed();
    if (isPassing(error)) followed.standing = { ...followed.standing, trouble: error };
    else if (isRecordMissing(error) && (await isKnown(reads, followed))) followed.misses++;
    else throw error;
  }
}

async function isKnown({ recall }: RecordReads, { records, target: { relayerId, id } }: Followed): Promise<boolean> {
  if (records.length === 0) records.push(...((await recall?.(relayerId, [id]))?.get(id)?.records ?? []));
  return records.length > 0;
}

function keepRecord({ clock }: RecordReads, followed: Followed, record: Transaction): void {
  followed.readAt = clock.elapsed();
  keepFollowedRecord(followed, record);
}

function isPassing(error: unknown): error is RelayctlError {
  return error instanceof RelayctlError && error.retryable;
}

/** Returns whether the service lacks a record. Another relayer's record is the user's mistake. */
export function isRecordMissing(error: unknown): error is RelayctlError {
  return error instanceof RelayctlError && error.failure === "not_found" && error.subject?.kind !== "other_relayer";
}
