import type { DemoClock } from "../world.ts";

export interface RateLimit {
  perSecond: number;
  /** How many requests may come at once after a rest. */
  burst: number;
}

/** A token bucket: each call takes a token and says whether there was one. */
export function createRateLimit({ perSecond, burst }: RateLimit, clock: Pick<DemoClock, "elapsed">): () => boolean {
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
