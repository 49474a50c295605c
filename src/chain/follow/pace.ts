import type { Clock } from "../../client/clock.ts";
import { FOLLOW_INTERVALS } from "../../timing.ts";

/** How much longer an interval becomes each time, and how fast the rate recovers after a refusal. */
const GROWTH = 1.25;
const RECOVERY = 0.9;
const SLOWEST = 4;

/** Returns a function that computes the milliseconds until the next read: longer each time, and after a rate limit. */
export function createPace({ elapsed }: Pick<Clock, "elapsed">): (wasLimited: boolean) => number {
  const { first, firstFor, later, longest } = FOLLOW_INTERVALS;
  const started = elapsed();
  let interval: number = first;
  let slowness = 1;
  return (wasLimited) => {
    slowness = wasLimited ? Math.min(slowness * 2, SLOWEST) : Math.max(slowness * RECOVERY, 1);
    const isLater = elapsed() - started >= firstFor;
    if (isLater) interval = interval < later ? later : Math.min(interval * GROWTH, longest);
    return Math.round(interval * slowness);
  };
}
