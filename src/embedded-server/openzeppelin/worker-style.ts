import { hexDigits } from "../digits.ts";
import type { WorkerStyle } from "../worker/follow.ts";

/**
 * Returns how the service's workers treat a transaction: a block is noticed after 8 to 12 s (facts 15.8), and a
 * replacement is priced and signed again after 1 to 3 s (facts 16.2). New transactions overtake one another (facts 13.4).
 * The same for the same seed.
 */
export function serviceStyle(seed: number): WorkerStyle {
  return {
    prepares: between(500, 1500, seed),
    notices: between(8000, 12_000, seed),
    reprices: between(1000, 3000, seed),
  };
}

/** Returns a number of milliseconds within these bounds, the same for the same seed. */
function between(least: number, most: number, seed: number): number {
  return least + (Number.parseInt(hexDigits(seed, 6), 16) % (most - least + 1));
}
