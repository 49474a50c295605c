import { type FeeHistory, PERCENTILES, type Speed } from "./fee-history.ts";

/** The percentage of the node's gas price that each speed pays on a legacy network (facts 5.3). */
const LEGACY_PERCENT: Readonly<Record<Speed, bigint>> = { safeLow: 100n, average: 125n, fast: 150n, fastest: 200n };

/** Returns the service's price for a legacy transaction of a speed, before the relayer's cap (facts 5.3). */
export function legacyMarketPrice(gasPrice: bigint, speed: Speed): bigint {
  return (gasPrice * LEGACY_PERCENT[speed]) / 100n;
}

/** A price of type 2, in wei per gas. */
export interface Price {
  maxFee: bigint;
  tip: bigint;
}

const NANO = 1_000_000_000n;
const GWEI = 1e9;
/** How the base fee can rise: an eighth a block, for the blocks of 90 seconds, at most tenfold (facts 15.12). */
const RISE = 1.125;
const WINDOW = 90_000;
const MOST_RISE = 10n * NANO;

/** Returns the service's price for a transaction of a speed, before the cap (facts 5.3, 15.12). */
export function marketPrice(history: Pick<FeeHistory, "baseFee" | "tips">, speed: Speed, blockTime: number): Price {
  const tip = marketTip(history, speed);
  return { maxFee: marketMaxFee(history.baseFee, tip, blockTime), tip };
}

/** Returns the mean tip of the blocks that paid any, or the percentile's share of 1 gwei, as a double. */
export function marketTip({ tips }: Pick<FeeHistory, "tips">, speed: Speed): bigint {
  const paid = tips[speed].filter((tip) => tip > 0n).map((tip) => Number(tip) / GWEI);
  const mean = paid.length === 0 ? PERCENTILES[speed] / 100 : paid.reduce((sum, tip) => sum + tip, 0) / paid.length;
  return BigInt(Math.trunc(mean * GWEI));
}

/** Returns the highest base fee after 90 seconds, plus the tip. */
export function marketMaxFee(baseFee: bigint, tip: bigint, blockTime: number): bigint {
  return (baseFee * riseIn(Math.floor(WINDOW / Math.max(blockTime, 1)))) / NANO + tip;
}

/** Returns how much the base fee can rise in this many blocks, in billionths, through a double like the service. */
function riseIn(blocks: number): bigint {
  let rise = 1;
  for (let block = 0; block < blocks && rise < 10; block++) rise *= RISE;
  const billionths = BigInt(Math.trunc(rise * GWEI));
  return billionths < MOST_RISE ? billionths : MOST_RISE;
}
