import { isSameVersion, versionOf } from "../../../chain/verdict/version.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { RecordedWrite } from "../../../journal/writes.ts";
import { DEFAULT_DEADLINE } from "../../../timing.ts";

/** What can show which transaction a write created. */
export interface Candidates {
  /** The relayer's transactions, at least all that were created since the write. */
  records: readonly Transaction[];
  /** The IDs of the transactions that other writes created. */
  created: ReadonlySet<string>;
  /** The writes of the same relayer whose transactions are unknown, this one included. */
  open: readonly RecordedWrite[];
}

/** The transaction of a write, or why none can be named. */
export type Created = { record: Transaction } | { because: string };

/** A request may still arrive for so long after its command gave up. */
const LATE = 60_000;

/**
 * Finds the transaction that a write created whose response was lost: the only one that was created since, agrees with
 * the request in receiver, value, data, and gas limit, and belongs to no other write. Without that, two equal payments
 * could be taken for one.
 */
export function createdTransaction(write: RecordedWrite, { records, created, open }: Candidates): Created {
  const body = evmBody(write);
  if (!body)
    return { because: "only an EVM transaction can be recognized by its receiver, value, data, and gas limit" };
  const since = receivedTime(write.intent.time);
  const matching = records.filter(
    (record) => isSince(record, since) && !created.has(record.id) && agrees(record, body),
  );
  const [record, ...more] = matching;
  if (!record) return { because: "no transaction that was created since then matches it; it may still arrive" };
  if (more.length > 0) return { because: `${matching.length} transactions that were created since then match it` };
  // Whichever came first: the service's clock may differ from this machine's.
  const rivals = open.map(evmBody).filter((other) => other && agrees(record, other));
  if (rivals.length > 1)
    return { because: `transaction ${record.id} matches ${rivals.length} writes of unknown outcome` };
  if (receivedTime(record.created_at) > latestOf(write))
    return { because: `transaction ${record.id} matches it, but was created too long after it` };
  return { record };
}

/** Returns the other transactions that were created when this write may have been, and show something else now. */
export function changedSince(write: RecordedWrite, { records, created }: Omit<Candidates, "open">): Transaction[] {
  const body = evmBody(write);
  const [first, last] = [receivedTime(write.intent.time), latestOf(write)];
  return records.filter((record) => {
    const isInTime = isSince(record, first) && !(receivedTime(record.created_at) > last);
    return isInTime && !created.has(record.id) && !(body && agrees(record, body));
  });
}

/** Returns the time until which a transaction can be this write's. */
function latestOf({ intent, outcome }: RecordedWrite): number {
  const ended = outcome ? receivedTime(outcome.time) : receivedTime(intent.time) + DEFAULT_DEADLINE;
  return ended + LATE;
}

/** A record without a time could be of any age, so it counts as a match that nothing excludes. */
function isSince({ created_at: created }: Transaction, since: number): boolean {
  const at = receivedTime(created);
  return Number.isNaN(at) || at >= since;
}

function evmBody({ intent: { body } }: RecordedWrite): JsonObject | undefined {
  return isJsonObject(body) && versionOf(body) ? body : undefined;
}

/** Compares what the request specifies; the service estimates a gas limit that it leaves out. */
function agrees(record: Transaction, body: JsonObject): boolean {
  const [wanted, found] = [versionOf(body), versionOf(record)];
  if (!wanted || !found || !isSameVersion(wanted, found)) return false;
  const gas = wireAmount(body.gas_limit);
  return gas === undefined || gas === wireAmount(record.gas_limit);
}
