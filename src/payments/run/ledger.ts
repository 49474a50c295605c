import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import { RelayctlError } from "../../errors.ts";
import {
  appliedOf,
  type Journal,
  type RecordedPayment,
  type RecordedPayments,
  type RecordedWrite,
  walkWrites,
} from "../../journal/journal.ts";
import { lostSendOf, lostSendShape, mayBePassedOn } from "../../recovery/lost-send.ts";
import { type Attempt, Rows } from "./rows.ts";
import type { PayerId, PaymentWorld } from "./running.ts";

/** Uses receiver, value, data, and a gas limit that is unique in the run (facts 15.11): unused gas is not paid. */
export type RunFingerprint = string;

/** The numbers of offsets. Small runs have fewer, since a transaction must be covered by its whole gas limit. */
const [FEW, MANY] = [2 ** 16, 2 ** 18];

export function mostLedgerOffset(rows: number): number {
  return rows <= FEW / 2 ? FEW : MANY;
}

/** @param fraction a random number from 0 to below 1 */
export function drawLedgerOffsets(rows: number, fraction: number) {
  const most = mostLedgerOffset(rows);
  return { most, start: 1 + Math.floor(fraction * most) };
}

/** Counts in a circle from the random start: the offsets of two runs differ in every row or, very rarely, in none. */
export function ledgerOffset({ most, start }: ReturnType<typeof drawLedgerOffsets>, row: number): number {
  return 1 + ((start - 1 + row - 1) % most);
}

export function ledgerFingerprint(body: JsonObject): RunFingerprint | undefined {
  const shape = lostSendShape(body);
  return shape?.gas === undefined ? undefined : `${shape.gas} ${shape.content}`;
}

/** The operation of a run's beginning, which sends nothing. */
export const BEGIN = { ...operations["tx.send"], id: "tx.send-many" };

export interface RecordedRun {
  run: string;
  /** When it began, in ISO 8601. */
  time: string;
  payments: RecordedPayments;
  payerId: PayerId;
}

/** Returns the runs with a key, oldest first. @param key a file's SHA-256, its absolute path, or a run's ID */
export async function readLedgerRuns(journal: Journal, key: string): Promise<RecordedRun[]> {
  const runs = new Map<string, RecordedRun>();
  for (const entry of await journal.find(key)) {
    if (entry.type !== "intent" || !entry.payments) continue;
    const { run, time, payments, server, ids } = entry;
    if (!runs.has(run)) runs.set(run, { run, time, payments, payerId: { server, relayerId: ids.relayer_id ?? "" } });
  }
  return [...runs.values()];
}

/** Returns what the journal knows of a run's rows, at any time: a clock that jumped must not hide a payment. */
export async function readLedgerRows(journal: Journal, run: string, count: number): Promise<Rows> {
  const rows = new Rows(count);
  for await (const write of walkWrites(journal, undefined, { mayRound: true, runs: new Set([run]) })) {
    const { payment } = write.intent;
    if (payment) rows.add(attemptFrom(write, payment));
  }
  return rows;
}

function attemptFrom(write: RecordedWrite, { row }: RecordedPayment): Attempt {
  const { intent, outcome } = write;
  const { id, hash } = outcome?.after ?? {};
  const { message: why, status } = outcome ?? {};
  return {
    ...lostSendOf(intent),
    row,
    outcome: outcomeIn(write),
    ...(typeof id === "string" && { transactionId: id }),
    ...(typeof id !== "string" && typeof hash === "string" && { hash }),
    ...(why !== undefined && { why }),
    ...(status !== undefined && { status, mayBePassedOn: mayBePassedOn(write) }),
  };
}

function outcomeIn(write: RecordedWrite): Attempt["outcome"] {
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

/** Includes refused ones: their records are looked for, and could not be distinguished from a later attempt's. */
export async function usedFingerprints(
  journal: Journal,
  { server, relayerId }: PayerId,
  since: number,
): Promise<ReadonlySet<RunFingerprint>> {
  const found = new Set<RunFingerprint>();
  for await (const write of walkWrites(journal, since, { mayRound: true })) {
    const { intent, outcome } = write;
    if (intent.operation !== "tx.send" || (appliedOf(write) === "no" && outcome?.status === undefined)) continue;
    if (intent.server !== server || intent.ids.relayer_id !== relayerId) continue;
    const fingerprint = isJsonObject(intent.body) ? ledgerFingerprint(intent.body) : undefined;
    if (fingerprint !== undefined) found.add(fingerprint);
  }
  return found;
}

export interface KnownRun extends RecordedRun {
  /** The folder of the journal that keeps it; undefined for the journal in use. No other journal can continue it. */
  keptIn?: string | undefined;
}

type Journals = Pick<PaymentWorld, "journal" | "usualJournal">;

/** Returns the runs with a key that both journals know: the runs of the journal in use last. */
export async function knownRunsWith({ journal, usualJournal }: Journals, key: string): Promise<KnownRun[]> {
  const own = (await readLedgerRuns(journal, key)).map((run): KnownRun => ({ ...run, keptIn: run.payments.keptIn }));
  if (!usualJournal) return own;
  const ids = new Set(own.map(({ run }) => run));
  const others = (await readLedgerRuns(usualJournal, key))
    .filter(({ run }) => !ids.has(run))
    .map((run): KnownRun => ({ ...run, keptIn: run.payments.keptIn ?? usualJournal.path }));
  return [...others, ...own];
}

/** Notes in the usual journal, once, that a run of a file begins in another journal. */
export async function noteLedgerRun(
  { journal, usualJournal, say }: Journals & Pick<PaymentWorld, "say">,
  { run, sha256 }: { run: string; sha256: string },
): Promise<void> {
  if (!usualJournal) return;
  try {
    if ((await readLedgerRuns(usualJournal, sha256)).some((each) => each.run === run)) return;
    const entry = (await journal.find(sha256)).find(
      (each) => each.type === "intent" && each.payments !== undefined && each.run === run,
    );
    if (entry?.type !== "intent" || !entry.payments) return;
    const { id, time } = entry;
    await Promise.all([
      usualJournal.append({ ...entry, payments: { ...entry.payments, keptIn: journal.path } }, { isSynced: true }),
      usualJournal.append({ type: "outcome", id, run, time, applied: "no" }, { isSynced: true }),
    ]);
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    await say({ warning: `the journal in ${usualJournal.path} does not note this run: ${error.message}` });
  }
}
