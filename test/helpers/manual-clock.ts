import type { Clock } from "../../src/client/clock.ts";
import {
  COIN_TIMEOUT,
  DEFAULT_TIMEOUT,
  DOCTOR_TIMEOUT,
  FUNDS_TIMEOUT,
  PROGRESS_DELAY,
  STATUS_TIMEOUT,
} from "../../src/timing.ts";

/** Sleeps that run along with the work itself. */
const LIMITS: readonly number[] = [PROGRESS_DELAY, COIN_TIMEOUT, DOCTOR_TIMEOUT, FUNDS_TIMEOUT];

/** When the clock starts, in milliseconds since 1970. */
export const TEST_TIME = Date.parse("2026-11-21T03:12:07Z");

/** The shortest time limit of an attempt or a command. A limit runs along with the work, like everything longer. */
const SHORTEST_LIMIT = Math.min(DEFAULT_TIMEOUT, STATUS_TIMEOUT);

/** A clock whose sleeps pass at once. @param own the signal of a command's waits, which aren't limits */
export function manualClock(start = TEST_TIME, own?: AbortSignal): Clock & { slept: number[] } {
  let elapsed = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => Math.floor(start + elapsed),
    elapsed: () => elapsed,
    // The limit of an attempt and a user's patience are slept for next to the work itself, and must not run out before it.
    sleep: (milliseconds, signal) => {
      if (
        signal &&
        signal !== own &&
        !signal.aborted &&
        (milliseconds >= SHORTEST_LIMIT || LIMITS.includes(milliseconds))
      )
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
      slept.push(milliseconds);
      elapsed += milliseconds;
      return Promise.resolve();
    },
  };
}
