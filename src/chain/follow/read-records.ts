import type { Client } from "../../client/client.ts";
import type { Clock } from "../../client/clock.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../errors.ts";
import { type Followed, keepRecord } from "./followed.ts";

/** The most transactions of a relayer that are read one by one; more of them are read as one page of its list. */
export const MOST_SINGLE = 4;
/** The newest transactions of a relayer that are read as one page. */
const PAGE = 100;

export interface RecordReads {
  client: Pick<Client, "tx">;
  clock: Pick<Clock, "elapsed">;
}

/**
 * Reads the newest records of transactions of one relayer. What fails for now is kept as trouble; a record that was
 * there before and is not found is a miss.
 * @throws RelayctlError if a read fails for good, or if a transaction was never there
 */
export async function readRecords(reads: RecordReads, relayerId: string, all: readonly Followed[]): Promise<void> {
  const left = all.length > MOST_SINGLE ? await readPage(reads, relayerId, all) : all;
  const longestAgo = [...left].sort((one, other) => one.readAt - other.readAt).slice(0, MOST_SINGLE);
  for (const followed of longestAgo) await readOne(reads, followed);
}

/** Reads the newest page of the list, and returns the transactions that are not on it. */
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
    if (record) keep(reads, followed, record);
    return !record;
  });
}

async function readOne(reads: RecordReads, followed: Followed): Promise<void> {
  const { relayerId, id } = followed.target;
  try {
    keep(reads, followed, (await reads.client.tx.get(relayerId, id)).data);
  } catch (error) {
    followed.readAt = reads.clock.elapsed();
    if (isPassing(error)) followed.standing = { ...followed.standing, trouble: error };
    else if (isNotFound(error) && followed.records.length > 0) followed.misses++;
    else throw error;
  }
}

function keep({ clock }: RecordReads, followed: Followed, record: Transaction): void {
  followed.readAt = clock.elapsed();
  keepRecord(followed, record);
}

function isPassing(error: unknown): error is RelayctlError {
  return error instanceof RelayctlError && error.retryable;
}

/** Returns whether the service does not have the record; one of another relayer is a mistake of the user. */
function isNotFound(error: unknown): boolean {
  return error instanceof RelayctlError && error.failure === "not_found" && error.subject?.kind !== "other_relayer";
}
