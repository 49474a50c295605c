import { isJsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { RecordedPayment, RecordedPayments } from "../../journal/entry.ts";
import type { Journal } from "../../journal/journal.ts";
import { appliedOf, type RecordedWrite, writesNewestFirst } from "../../journal/writes.ts";
import { lostSendOf } from "../../recovery/lost-send.ts";
import type { Attempt } from "./attempt.ts";
import { type Fingerprint, fingerprintOf } from "./fingerprint.ts";
import type { PayerId } from "./plan.ts";
import { createRows, type Rows } from "./rows.ts";

/** What the journal calls the beginning of a run, which sends nothing. */
export const BEGIN = { ...operations["tx.send"], id: "tx.send-many" };

export interface RecordedRun {
  run: string;
  /** When it first began, in ISO 8601. */
  time: string;
  payments: RecordedPayments;
  payerId: PayerId;
}

/** Returns the runs with a key, oldest first. @param key a file's SHA-256, its absolute path, or a run's ID */
export async function runsWith(journal: Journal, key: string): Promise<RecordedRun[]> {
  const runs = new Map<string, RecordedRun>();
  for (const entry of await journal.find(key)) {
    if (entry.type !== "intent" || !entry.payments) continue;
    const { run, time, payments, server, ids } = entry;
    if (!runs.has(run)) runs.set(run, { run, time, payments, payerId: { server, relayerId: ids.relayer_id ?? "" } });
  }
  return [...runs.values()];
}

/** Returns what the journal knows of a run's rows, at any time: a clock that jumped must not hide a payment. */
export async function rowsOf(journal: Journal, run: string, count: number): Promise<Rows> {
  const rows = createRows(count);
  for await (const write of writesNewestFirst(journal, undefined, { mayRound: true, runs: new Set([run]) })) {
    const { payment } = write.intent;
    if (payment) rows.add(buildAttempt(write, payment));
  }
  return rows;
}

function buildAttempt(write: RecordedWrite, { row }: RecordedPayment): Attempt {
  const { intent, outcome } = write;
  const { id, hash } = outcome?.after ?? {};
  const { message: why, status } = outcome ?? {};
  return {
    ...lostSendOf(intent),
    row,
    outcome: getState(write),
    ...(typeof id === "string" && { transactionId: id }),
    ...(typeof id !== "string" && typeof hash === "string" && { hash }),
    ...(why !== undefined && { why }),
    ...(status !== undefined && { status }),
  };
}

function getState(write: RecordedWrite): Attempt["outcome"] {
  const applied = appliedOf(write);
  if (applied === "no") return "refused";
  const { id, hash } = write.outcome?.after ?? {};
  if (applied === "yes" && (typeof id === "string" || typeof hash === "string")) return "applied";
  return write.outcome?.assumed ? "assumed" : "open";
}

export async function recordAssumption(journal: Journal, { id }: Attempt, run: string, time: string): Promise<void> {
  await journal.append(
    { type: "outcome", id, run, time, applied: "unknown", assumed: "not_sent", settledLater: true },
    { isSynced: true },
  );
}

/**
 * Returns the fingerprints of the transactions of a relayer that were or may have been sent, and of those that a response
 * refused: their records are looked for too, and could not be distinguished from those of a later attempt.
 * @param since milliseconds since 1970
 */
export async function takenFingerprints(
  journal: Journal,
  { server, relayerId }: PayerId,
  since: number,
): Promise<ReadonlySet<Fingerprint>> {
  const found = new Set<Fingerprint>();
  for await (const write of writesNewestFirst(journal, since, { mayRound: true })) {
    const { intent, outcome } = write;
    if (intent.operation !== "tx.send" || (appliedOf(write) === "no" && outcome?.status === undefined)) continue;
    if (intent.server !== server || intent.ids.relayer_id !== relayerId) continue;
    const fingerprint = isJsonObject(intent.body) ? fingerprintOf(intent.body) : undefined;
    if (fingerprint !== undefined) found.add(fingerprint);
  }
  return found;
}
