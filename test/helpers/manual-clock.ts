import type { Clock } from "../../src/client/clock.ts";
import { PATIENCE } from "../../src/flow/progress/teller.ts";

/** A clock that stands still until something sleeps: then the time has passed at once. */
export function manualClock(start = Date.parse("2026-11-21T03:12:07Z")): Clock & { slept: number[] } {
  let elapsed = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => start + elapsed,
    elapsed: () => elapsed,
    // The limit of an attempt and a person's patience are slept for beside the work itself, and must not run out before it.
    sleep: (milliseconds, signal) => {
      if (signal && !signal.aborted && (milliseconds >= 30_000 || milliseconds === PATIENCE))
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
      slept.push(milliseconds);
      elapsed += milliseconds;
      return Promise.resolve();
    },
  };
}
