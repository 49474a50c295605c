import type { RateLimit } from "../../contract/serving.ts";
import type { ServerClock } from "../world.ts";

/** Creates a token bucket: each call returns whether it got a token. */
export function createRateLimit({ perSecond, burst }: RateLimit, clock: Pick<ServerClock, "elapsed">): () => boolean {
  let tokens = burst;
  let filledAt = clock.elapsed();
  return () => {
    const now = clock.elapsed();
    tokens = Math.min(burst, tokens + ((now - filledAt) * perSecond) / 1000);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
