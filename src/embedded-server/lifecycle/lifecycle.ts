import type { JsonObject } from "../../contract/json.ts";
import { flag, number, objectShape, oneOfShape, optionalShape, text } from "../../contract/reply/shape.ts";
import type { WorkerName } from "../worker/faults.ts";

export const WORKERS = {
  sent: "prepare",
  submitted: "submit",
  mined: "status",
  confirmed: "status",
  canceled: "status",
  failed: "status",
  gap: "status",
} as const satisfies Readonly<Record<string, WorkerName>>;

/** A transaction's next step, most to a state of facts 5.1. `mined` waits for the chain, `gap` fills a nonce. */
export type LifeStep = keyof typeof WORKERS;

/** A pending transaction's remaining steps. Without a lifecycle, it stays as it is. */
export type Lifecycle = {
  id: string;
  next: LifeStep;
  /** The next step's time; for `mined`, the earliest one. */
  due: number;
  why?: string;
  /** The latest time to send it, in milliseconds since 1970. */
  until?: number;
  /** Milliseconds from a block to the check that notices it (facts 15.8; default: 0). */
  notices?: number;
  isUnsent?: true;
  again?: Attempt;
};

export type Attempt = {
  /** Milliseconds since 1970. */
  due: number;
  tries: number;
  /** Whether it is priced and signed again (facts 15.1), or sent as the record shows it. */
  reprices: boolean;
};

export const lifecycleShape = objectShape({
  id: text,
  next: oneOfShape(...Object.keys(WORKERS)),
  due: number,
  why: optionalShape(text),
  until: optionalShape(number),
  notices: optionalShape(number),
  isUnsent: optionalShape(flag),
  again: optionalShape(objectShape({ due: number, tries: number, reprices: optionalShape(flag) })),
});

/** Returns a stored lifecycle. An earlier version kept `end` instead, and sent a cancellation when it was mined. */
export function lifecycleFrom({ end, ...kept }: Lifecycle & { end?: string }): Lifecycle {
  if (kept.next !== "mined" || end !== "canceled") return kept;
  return { ...kept, again: { due: kept.due, tries: 0, reprices: true } };
}

/** Milliseconds between states. The real service takes 2 to 6 s from `submitted` on; a user types more slowly. */
const TO_SENT = 1000;
const TO_SUBMITTED = 1000;
const TO_LEDGER = 6000;
/** Milliseconds until a jammed transaction fails: 127 to 134 s after the request (facts 13.3, 16.3). */
const TO_JAMMED = 133_000;

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

/** Returns a submitted transaction's lifecycle: on EVM by the chain; others lack `mined`. */
export function lifecycleFromSubmitted(
  { isUnsent: _, ...lifecycle }: Lifecycle,
  { from }: JsonObject,
  timestamp: number,
): Lifecycle {
  if (from === undefined) return { ...lifecycle, next: "confirmed", due: timestamp + TO_LEDGER };
  return { ...lifecycle, next: "mined", due: timestamp };
}
