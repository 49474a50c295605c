import { receivedTime } from "../contract/reply/received-time.ts";
import type { RecordedWrite } from "./journal.ts";

/** Milliseconds after which no request is delivered anymore. */
export const LONGEST_DELAY = 3_600_000;
/** Milliseconds by which two clocks of a service differ. */
export const TOLERANCE = 2_000;
/** Milliseconds. No clock is wrong by more. */
export const DAY = 24 * 3_600_000;

/** By how many milliseconds the service's clock, which stamps the records, is ahead of this machine's. */
export interface ClockOffset {
  least: number;
  most: number;
}

/** Used if no response shows it. */
export const ASSUMED_OFFSET: ClockOffset = { least: 0, most: 600_000 };

/** Each record was created between its intent and its outcome. A `Date` may be a proxy's, and proves nothing. */
export function clockOffsetOf(writes: Iterable<RecordedWrite>): ClockOffset | undefined {
  const offset = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
  for (const { intent, outcome } of writes) {
    const created = createdTime(outcome?.after?.created_at);
    if (!outcome || outcome.settledLater || created === undefined) continue;
    offset.least = Math.max(offset.least, created - receivedTime(outcome.time));
    offset.most = Math.min(offset.most, created - receivedTime(intent.time));
  }
  return Number.isFinite(offset.least) ? offset : undefined;
}

/** Returns whether a request certainly can have created a record with this time, by what is known of the clocks. */
export function isCreatedInTime(created: number, { time }: { time: number }, { least, most }: ClockOffset): boolean {
  return created >= time + least - TOLERANCE && created <= time + most + TOLERANCE + LONGEST_DELAY;
}

/** Returns whether a request may have created it: a record without a readable time can be of any age. */
export function mayBeCreatedInTime(created: number | undefined, { time }: { time: number }): boolean {
  return created === undefined || !(Math.abs(created - time) > DAY);
}

export function createdTime(text: unknown): number | undefined {
  const time = receivedTime(text);
  // The service sends the first moment of 1970 if it has no time.
  return time > 0 ? time : undefined;
}
