import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../src/client/clock.ts";
import { clock } from "../../src/system.ts";

/** What decides when a wait is over, besides the clock. */
export interface Passing {
  /** The signal of the command's own waits between requests, which pass at once (default: by the clock). */
  own?: AbortSignal | undefined;
  /** Resolves when the time for an attempt is up (default: by the clock). */
  timeUp?: ((signal?: AbortSignal) => Promise<void>) | undefined;
}

/** No shorter wait is the time for an attempt, unless the deadline of a command that waits is near. */
const SHORTEST_ATTEMPT = 1_000;
/** No other wait is as long and ends before the deadline. */
const isTimeout = (milliseconds: number) => milliseconds > 19_000 && milliseconds <= 20_000;

/** Returns the real clock, on which some waits take no time. */
export function passingClock({ own, timeUp }: Passing): Clock {
  let ahead = 0;
  const isAttempt = (time: number) => (own ? time >= SHORTEST_ATTEMPT && time <= 20_000 : isTimeout(time));
  return {
    now: () => clock.now() + ahead,
    elapsed: () => clock.elapsed() + ahead,
    async sleep(time, signal) {
      if (own && signal === own) {
        ahead += time;
        return await setImmediate();
      }
      if (!timeUp || !isAttempt(time)) return await clock.sleep(time, signal);
      await timeUp(signal);
      if (own && !signal?.aborted) ahead += time;
    },
  };
}
