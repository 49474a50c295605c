import type { Clocks, Fact } from "../facts.ts";

/** Milliseconds by which two clocks may differ: a date has whole seconds, and a response takes time. */
export const MOST_SKEW = 30_000;

/**
 * Returns the time that ages refer to. If the clocks of the service and of this machine differ, the earlier one: no
 * block and no transaction then looks older than it is, whichever clock is wrong.
 */
export function cautiousNow(clock: Fact<Clocks>, now: number): number {
  if ("skipped" in clock) return now;
  const skew = clock.value.service - clock.value.here;
  return skew < -MOST_SKEW ? now + skew : now;
}
