import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { Attempt } from "./attempt.ts";
import { fingerprintOf } from "./fingerprint.ts";

/** What finding needs from the service and the journal. */
export interface Found {
  /** Yields the records of the relayer, newest first. */
  records(): AsyncIterable<Transaction>;
  /** Reads one record again; returns undefined if it was deleted. */
  read(id: string): Promise<Transaction | undefined>;
  /** Returns whether a record is known to be the result of another write than this attempt. */
  belongsToOther(id: string, attempt: Attempt): Promise<boolean>;
  /** Returns the fingerprints of other writes whose outcome is not known, and that were recorded since a time. */
  rivals(since: number, own: ReadonlySet<string>): Promise<ReadonlySet<string>>;
}

/** Milliseconds. No request is delivered later than this, and no clock is farther off than is known of it. */
const [LONGEST_DELAY, LARGEST_ERROR] = [3_600_000, 600_000];

/**
 * Finds the records of attempts whose outcome is unknown. A record belongs to an attempt only if it is the only
 * one that was created in the time of the attempt and agrees with it in receiver, value, data, and gas limit, if no other
 * attempt or write could have created it, and if it still agrees when it is read again. Not to find one proves
 * nothing: it may still arrive, and final records are deleted (facts 5.1).
 * @returns each record by the ID of its attempt
 */
export async function findRecords(
  world: Found,
  attempts: readonly Attempt[],
): Promise<ReadonlyMap<string, Transaction>> {
  const wanted = byFingerprint(attempts);
  const found = new Map<string, Transaction>();
  if (wanted.size === 0) return found;
  const agreeing = await agreeingRecords(world, wanted, earliest(attempts, "since"));
  if (agreeing.size === 0) return found;
  const own = new Set(attempts.map(({ id }) => id));
  const rivals = await world.rivals(earliest(attempts, "time") - LONGEST_DELAY, own);
  for (const [fingerprint, records] of agreeing) {
    const [record, ...others] = records;
    const inTime = (wanted.get(fingerprint) ?? []).filter((each) => record && isInTime(record, each));
    const [attempt, ...otherAttempts] = inTime;
    if (!record || !attempt || others.length > 0 || otherAttempts.length > 0 || rivals.has(fingerprint)) continue;
    if (await world.belongsToOther(record.id, attempt)) continue;
    const again = await world.read(record.id);
    if (again && fingerprintOf(again) === fingerprint) found.set(attempt.id, again);
  }
  return found;
}

function earliest(attempts: readonly Attempt[], time: "since" | "time"): number {
  return attempts.reduce((least, attempt) => Math.min(least, attempt[time]), Number.POSITIVE_INFINITY);
}

function byFingerprint(attempts: readonly Attempt[]): Map<string, Attempt[]> {
  const wanted = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    const { fingerprint } = attempt;
    if (fingerprint !== undefined) wanted.set(fingerprint, [...(wanted.get(fingerprint) ?? []), attempt]);
  }
  return wanted;
}

/** The list is sorted newest first. While it is read, records are added at its beginning, so that none is missed. */
async function agreeingRecords(
  world: Found,
  wanted: ReadonlyMap<string, readonly Attempt[]>,
  since: number,
): Promise<Map<string, Transaction[]>> {
  const agreeing = new Map<string, Transaction[]>();
  for await (const record of world.records()) {
    if (createdAt(record) < since) break;
    const fingerprint = fingerprintOf(record);
    const attempts = fingerprint === undefined ? undefined : wanted.get(fingerprint);
    if (fingerprint === undefined || !attempts?.some((attempt) => isInTime(record, attempt))) continue;
    agreeing.set(fingerprint, [...(agreeing.get(fingerprint) ?? []), record]);
  }
  return agreeing;
}

/** A record that was created at an unknown time could be of any attempt, so it is of none. */
function isInTime(record: Transaction, { since }: Attempt): boolean {
  const created = createdAt(record);
  return created >= since && created <= since + LARGEST_ERROR + LONGEST_DELAY;
}

function createdAt({ created_at: text }: Transaction): number {
  return receivedTime(text);
}
