import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";

const ENDS = ["confirmed", "canceled", "failed"] as const;
const STEPS = ["sent", "submitted", "mined", ...ENDS] as const;

/** The next step of a transaction; each leads to a state of facts 5.1. */
export type Step = (typeof STEPS)[number];

/** The remaining steps of a pending transaction. A transaction without a lifecycle stays as it is. */
export interface Lifecycle {
  /** The transaction's ID. */
  id: string;
  next: Step;
  /** The time of the next step, in milliseconds since 1970. */
  due: number;
  /** The final state. */
  end: (typeof ENDS)[number];
  /** Why the transaction fails, if known in advance. */
  why?: string;
  /** The latest time to send it, in milliseconds since 1970. */
  until?: number;
}

/** Parses a stored lifecycle; returns undefined for anything else. */
export function lifecycleIn(value: JsonValue): Lifecycle | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, next, due, end, why, until } = value;
  const isLifecycle = typeof id === "string" && typeof due === "number" && isOneOf(STEPS, next) && isOneOf(ENDS, end);
  if (!isLifecycle) return undefined;
  return { id, next, due, end, ...(typeof why === "string" && { why }), ...(typeof until === "number" && { until }) };
}

function isOneOf<T extends string>(words: readonly T[], value: JsonValue | undefined): value is T {
  return words.some((word) => word === value);
}

/** Milliseconds between states. The real service takes 2 to 6 s from `submitted` on; a user needs longer to type. */
const TO_SENT = 1000;
const TO_SUBMITTED = 1000;
const TO_CONFIRMED = 15_000;
const TO_LEDGER = 6000;
/** Milliseconds until a transaction loses its nonce (facts 13.1). */
const TO_LOST = 2000;
/** Milliseconds until a jammed transaction fails: 127 s after it was sent (facts 13.3). */
const TO_JAMMED = 126_000;
const TO_MINED: Readonly<Record<string, number>> = { fastest: 15_000, fast: 30_000, average: 60_000, safeLow: 120_000 };

/** Returns the lifecycle of a newly accepted transaction. */
export function newLifecycle(id: string, now: number, until?: number): Lifecycle {
  return { id, next: "sent", due: now + TO_SENT, end: "confirmed", ...(until !== undefined && { until }) };
}

/** Returns the lifecycle of a transaction that turns out to be invalid when it is prepared (facts 5.7). */
export function failingLifecycle(id: string, now: number, why: string): Lifecycle {
  return { id, next: "failed", due: now + TO_SENT, end: "failed", why };
}

/** Returns the lifecycle after its step was taken at this time; undefined once it has ended. */
export function lifecycleAfter(
  lifecycle: Lifecycle,
  transaction: JsonObject,
  timestamp: number,
): Lifecycle | undefined {
  const to = (next: Step, wait: number): Lifecycle => ({ ...lifecycle, next, due: timestamp + wait });
  switch (lifecycle.next) {
    case "sent":
      return isJammed(transaction) ? { ...to("failed", TO_JAMMED), end: "failed" } : to("submitted", TO_SUBMITTED);
    case "submitted":
      return lifecycleFromSubmitted(lifecycle, transaction, timestamp);
    case "mined":
      return to(lifecycle.end, TO_CONFIRMED);
    default:
      return undefined;
  }
}

/**
 * Returns the lifecycle of a submitted transaction: on EVM, mined as fast as its price allows; Solana and Stellar have
 * no `mined`.
 */
export function lifecycleFromSubmitted(
  { id, end, until }: Pick<Lifecycle, "id" | "end" | "until">,
  transaction: JsonObject,
  timestamp: number,
): Lifecycle {
  const lifecycle = { id, end, ...(until !== undefined && { until }) };
  if (end === "failed") return { ...lifecycle, next: "failed", due: timestamp + TO_LOST };
  if (transaction.from === undefined) return { ...lifecycle, next: end, due: timestamp + TO_LEDGER };
  const wait = TO_MINED[String(transaction.speed)] ?? TO_MINED.average;
  return { ...lifecycle, next: "mined", due: timestamp + (wait ?? 0) };
}

/** Returns whether a transaction has a nonce but could not be signed (facts 13.3). */
function isJammed({ status, nonce }: JsonObject): boolean {
  return status === "pending" && typeof nonce === "number";
}
