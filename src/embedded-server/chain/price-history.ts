import type { Market } from "./market.ts";

/** The prices on one network over time. Times are in milliseconds since 1970. */
export interface PriceHistory {
  at(time: number): Market;
  /** Returns the first time at or after this one at which the base fee is at most `fee`; undefined if there is none. */
  whenAtMost(fee: bigint, time: number): number | undefined;
}

/** Milliseconds between two changes of the prices. */
const STEP = 60_000;
const STEPS = 10;

/** Returns prices that never change, or rise by a tenth a minute for ten minutes, then fall back, and so on. */
export function priceHistory(steady: Market, since?: number): PriceHistory {
  if (since === undefined) {
    return { at: () => steady, whenAtMost: (fee, time) => (steady.baseFee <= fee ? time : undefined) };
  }
  const at = (time: number) => raised(steady, risesAt(Math.max(Math.floor((time - since) / STEP), 0)));
  return {
    at,
    whenAtMost(fee, time) {
      const next = since + (Math.floor((time - since) / STEP) + 1) * STEP;
      const changes = Array.from({ length: 2 * STEPS }, (_, change) => next + change * STEP);
      return [time, ...changes].find((each) => at(each).baseFee <= fee);
    },
  };
}

function risesAt(changes: number): number {
  const phase = changes % (2 * STEPS);
  return phase <= STEPS ? phase : 2 * STEPS - phase;
}

function raised({ baseFee, tips, gasPrice }: Market, times: number): Market {
  const price = (steady: bigint) => (steady * 11n ** BigInt(times)) / 10n ** BigInt(times);
  return {
    baseFee: price(baseFee),
    tips: Object.fromEntries(Object.entries(tips).map(([speed, tip]) => [speed, price(tip)])),
    gasPrice: price(gasPrice),
  };
}
