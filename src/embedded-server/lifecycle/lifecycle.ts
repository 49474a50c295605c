import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";

const ENDS = ["confirmed", "canceled", "failed"] as const;
const STEPS = ["sent", "submitted", "mined", ...ENDS] as const;

/** What happens to a transaction next; each is a state of facts 5.1. */
export type Step = (typeof STEPS)[number];

/** What a transaction that is under way still goes through. One without a course stays as it is. */
export interface Lifecycle {
  /** The transaction's. */
  id: string;
  next: Step;
  /** When, in milliseconds since 1970. */
  due: number;
  /** How it ends. */
  end: (typeof ENDS)[number];
  /** Why it fails, where that is known beforehand. */
  why?: string;
  /** Until when it may be sent, in milliseconds since 1970. */
  until?: number;
}

/** A course as it was kept; nothing for anything else. */
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

/** Milliseconds from one state to the next. The real service takes 2 to 6 s from `submitted` on; a person needs longer to type. */
const TO_SENT = 1000;
const TO_SUBMITTED = 1000;
const TO_CONFIRMED = 15_000;
const TO_LEDGER = 6000;
/** facts 13.1. */
const TO_LOST = 2000;
/** facts 13.3: 127 s after it was sent. */
const TO_JAMMED = 126_000;
const TO_MINED: Readonly<Record<string, number>> = { fastest: 15_000, fast: 30_000, average: 60_000, safeLow: 120_000 };

/** The course of a transaction that was just accepted. */
export function newLifecycle(id: string, now: number, until?: number): Lifecycle {
  return { id, next: "sent", due: now + TO_SENT, end: "confirmed", ...(until !== undefined && { until }) };
}

/** What happens to a transaction that turns out to be invalid when it is prepared (facts 5.7). */
export function failingLifecycle(id: string, now: number, why: string): Lifecycle {
  return { id, next: "failed", due: now + TO_SENT, end: "failed", why };
}

/** The course after its step was taken at this moment; nothing once it has ended. */
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

/** What a submitted transaction goes through: mined as fast as it pays for, on EVM; Solana and Stellar know no `mined`. */
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

/** It has a nonce and could not be signed (facts 13.3). */
function isJammed({ status, nonce }: JsonObject): boolean {
  return status === "pending" && typeof nonce === "number";
}
