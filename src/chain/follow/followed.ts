import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { RelayctlError } from "../../errors.ts";
import type { Verdict, Version } from "../verdict/verdict.ts";

export interface Target {
  relayerId: string;
  id: string;
  /** Oldest first, e.g. before and after a replacement. */
  records?: readonly Transaction[] | undefined;
  isGone?: boolean;
  /** Newest first. */
  hashes?: readonly string[] | undefined;
  /** The request's wish (default: what the newest record shows). */
  wanted?: Version | "cancellation" | undefined;
}

export interface Standing {
  relayerId: string;
  id: string;
  /** Undefined before the first read. */
  record: Transaction | undefined;
  /** Undefined before its record was read. */
  verdict: Verdict | undefined;
  /** Undefined while it is followed. */
  end: FollowEnd | undefined;
  /** How many transactions of the account will be mined before it. */
  ahead: bigint | undefined;
  /** Wei per gas of the newest block. */
  baseFee: bigint | undefined;
  feePaid: bigint | undefined;
  node: string | undefined;
  /** Why the last read failed; it is repeated. */
  trouble: RelayctlError | undefined;
}

export interface Followed {
  readonly target: Target;
  /** Oldest first; one for each version and hash. */
  readonly records: Transaction[];
  /** How many reads in a row did not find the record. */
  misses: number;
  /** Whether a later read may add to what is known without the record. */
  isPartial: boolean;
  /** The milliseconds of `elapsed` at the last reads of the record and of the chain. */
  readAt: number;
  askedAt: number;
  /** Since when the chain could not be asked about an ended record, by `elapsed`. */
  unaskedSince: number | undefined;
  /** The newest block when a node showed its nonce as used, if known; undefined if no node did. */
  usedAt: { height: bigint | undefined } | undefined;
  standing: Standing;
}

export function createFollowed(target: Target): Followed {
  const { relayerId, id, records = [] } = target;
  const standing: Standing = {
    relayerId,
    id,
    record: records.at(-1),
    verdict: undefined,
    end: undefined,
    ahead: undefined,
    baseFee: undefined,
    feePaid: undefined,
    node: undefined,
    trouble: undefined,
  };
  const never = Number.NEGATIVE_INFINITY;
  const misses = target.isGone ? MISSES_OF_GONE : 0;
  const unknown = { unaskedSince: undefined, usedAt: undefined };
  return {
    target,
    records: [...records],
    misses,
    isPartial: false,
    readAt: never,
    askedAt: never,
    ...unknown,
    standing,
  };
}

/** The most records that are kept of one transaction: the first and the newest ones. */
const MOST_RECORDS = 50;

/** Keeps a record: after the last one if it shows another version or hash, otherwise in its place. */
export function keepFollowedRecord(followed: Followed, record: Transaction): void {
  const { records } = followed;
  const last = records.at(-1);
  if (last && ENTRY.every((key) => (last[key] ?? null) === (record[key] ?? null))) records.pop();
  records.push(record);
  if (records.length > MOST_RECORDS) records.splice(1, 1);
  followed.misses = 0;
  followed.isPartial = false;
  followed.standing = { ...followed.standing, record, trouble: undefined };
}

const ENTRY = ["hash", "to", "value", "data", "is_canceled"];

/** A transaction is gone after this many failed reads in a row. */
const MISSES_OF_GONE = 2;

export function isFollowedGone({ misses }: Followed): boolean {
  return misses >= MISSES_OF_GONE;
}

export const GOALS = ["broadcast", "mined", "confirmed", "final"] as const;

export interface Goal {
  until: (typeof GOALS)[number];
  /** Blocks after its own until it counts as confirmed (default: the network's). */
  confirmations?: bigint | undefined;
}

export type FollowEnd =
  | "reached"
  | "unmet"
  | "mismatch"
  /** The record was deleted, and the chain does not resolve it. */
  | "gone"
  | "pending";

/** Returns how following ends with a verdict; undefined while the transaction is in progress. */
export function followedEnd(
  { verdict, stage }: Verdict,
  { until }: Goal,
  wanted: Version | "cancellation" | undefined,
): FollowEnd | undefined {
  switch (verdict) {
    case "confirmed":
      return "reached";
    case "canceled":
      return wanted === "cancellation" ? "reached" : "unmet";
    case "reverted":
    case "failed":
    case "expired":
    case "never_broadcast":
      return "unmet";
    case "cancel_too_late":
    case "earlier_version":
    case "foreign":
      return "mismatch";
    case "gone":
      return "gone";
    case "pending":
      return until === "broadcast" && (stage === "broadcast" || stage === "mined") ? "reached" : undefined;
  }
}

export function followedNeedsChain({ until, confirmations }: Goal): boolean {
  return until === "final" || confirmations !== undefined;
}
