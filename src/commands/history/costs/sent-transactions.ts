import type { JsonValue } from "../../../contract/json.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import type { WriteOutcome } from "../../../journal/entry.ts";
import type { Journal } from "../../../journal/journal.ts";
import { appliedOf, type RecordedWrite, writesNewestFirst } from "../../../journal/writes.ts";
import { transactionOf } from "../item.ts";

export interface SentTransaction {
  relayerId: string;
  id: string;
  write: RecordedWrite & { outcome: WriteOutcome };
  /** Every hash of it that the journal has, newest first. */
  hashes: readonly string[];
}

/** What the journal shows of the transactions that were sent to one service. */
export interface Sent {
  transactions: readonly SentTransaction[];
  /** How many sends have an unknown outcome. */
  unknown: number;
}

/** Returns the transactions that were sent to a service. @param since milliseconds since 1970; undefined for all */
export async function sentTransactions(journal: Journal, server: string, since: number | undefined): Promise<Sent> {
  const hashes = new Map<string, Set<string>>();
  const transactions: SentTransaction[] = [];
  let unknown = 0;
  for await (const write of writesNewestFirst(journal, since)) {
    const { intent } = write;
    if (intent.server !== server || (since !== undefined && receivedTime(intent.time) < since)) continue;
    if (intent.operation === "tx.send" && appliedOf(write) === "unknown") unknown++;
    const id = transactionOf(write);
    if (id === undefined) continue;
    const known = hashes.get(id) ?? new Set();
    hashes.set(id, known);
    for (const hash of hashesOf(write)) known.add(hash);
    const sent = sentBy(write, id, known);
    if (sent) transactions.push(sent);
  }
  return { transactions, unknown };
}

function sentBy({ intent, outcome }: RecordedWrite, id: string, hashes: Iterable<string>): SentTransaction | undefined {
  const relayerId: JsonValue | undefined = intent.ids.relayer_id;
  if (intent.operation !== "tx.send" || outcome?.applied !== "yes" || !isText(relayerId)) return undefined;
  return { relayerId, id, write: { intent, outcome }, hashes: [...hashes] };
}

function hashesOf({ intent, outcome }: RecordedWrite): string[] {
  return [outcome?.after?.hash, intent.before?.hash].filter(isText);
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}
