import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";

const STEPS = ["sent", "submitted", "mined", "confirmed", "canceled", "failed", "gap"] as const;

/** A transaction's next step, most to a state of facts 5.1. `mined` waits for the chain, `gap` fills a nonce. */
export type Step = (typeof STEPS)[number];

/** The remaining steps of a pending transaction. A transaction without a lifecycle stays as it is. */
export interface Lifecycle {
  id: string;
  next: Step;
  /** The time of the next step, in milliseconds since 1970; for `mined`, the earliest one. */
  due: number;
  why?: string;
  /** The latest time to send it, in milliseconds since 1970. */
  until?: number;
  /** Milliseconds from a block to the check that notices it (facts 15.8); without it, at once. */
  notices?: number;
  /** Whether it was signed, but not sent. */
  isUnsent?: true;
  again?: Attempt;
}

export interface Attempt {
  /** Milliseconds since 1970. */
  due: number;
  tries: number;
  /** Whether it is priced and signed again (facts 15.1), or sent as the record shows it. */
  reprices: boolean;
}

export function lifecycleIn(value: JsonValue): Lifecycle | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, next, due, why, until, notices } = value;
  if (typeof id !== "string" || typeof due !== "number" || !isOneOf(STEPS, next)) return undefined;
  const again = attemptIn(value);
  return {
    id,
    next,
    due,
    ...(typeof why === "string" && { why }),
    ...(typeof until === "number" && { until }),
    ...(typeof notices === "number" && { notices }),
    ...(value.isUnsent === true && { isUnsent: true }),
    ...(again && { again }),
  };
}

/** Parses the stored attempt. An earlier version kept `end` instead, and sent a cancellation when it was mined. */
function attemptIn({ again, due, next, end }: JsonObject): Attempt | undefined {
  if (next === "mined" && end === "canceled") return { due: Number(due), tries: 0, reprices: true };
  if (!isJsonObject(again) || typeof again.due !== "number" || typeof again.tries !== "number") return undefined;
  return { due: again.due, tries: again.tries, reprices: again.reprices === true };
}

function isOneOf<T extends string>(words: readonly T[], value: JsonValue | undefined): value is T {
  return words.some((word) => word === value);
}

/** Milliseconds between states. The real service takes 2 to 6 s from `submitted` on; a user needs longer to type. */
const TO_SENT = 1000;
const TO_SUBMITTED = 1000;
const TO_LEDGER = 6000;
/** Milliseconds until a jammed transaction fails: 127 to 134 s after the request (facts 13.3, 16.3). */
const TO_JAMMED = 133_000;

export function lifecycleToJson({ again, ...rest }: Lifecycle): JsonObject {
  return { ...rest, ...(again && { again: { ...again } }) };
}

/** Returns the lifecycle of a newly accepted transaction, which is priced and signed after `wait` milliseconds. */
export function newLifecycle(id: string, now: number, until?: number, wait = TO_SENT): Lifecycle {
  return { id, next: "sent", due: now + wait, ...(until !== undefined && { until }) };
}

/** Returns the lifecycle of a transaction that turns out to be invalid when it is prepared (facts 5.7). */
export function failingLifecycle(id: string, now: number, why: string): Lifecycle {
  return { id, next: "failed", due: now + TO_SENT, why };
}

/** Returns the lifecycle of a transaction that was sent, or could not be signed (facts 13.3), at this time. */
export function lifecycleFromSent(lifecycle: Lifecycle, { status, nonce }: JsonObject, timestamp: number): Lifecycle {
  const isJammed = status === "pending" && typeof nonce === "number";
  if (isJammed) return { ...lifecycle, next: "failed", due: timestamp + TO_JAMMED };
  return { ...lifecycle, next: "submitted", due: timestamp + TO_SUBMITTED };
}

/** Returns the lifecycle of a submitted transaction: on EVM by the chain; others have no `mined`. */
export function lifecycleFromSubmitted(
  { isUnsent: _, ...lifecycle }: Lifecycle,
  { from }: JsonObject,
  timestamp: number,
): Lifecycle {
  if (from === undefined) return { ...lifecycle, next: "confirmed", due: timestamp + TO_LEDGER };
  return { ...lifecycle, next: "mined", due: timestamp };
}
