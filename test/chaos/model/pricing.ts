import type { Chain } from "./chain.ts";
import { rewardOf } from "./node.ts";

/** Wei per gas. */
export interface Price {
  maxFee: bigint;
  tip: bigint;
}

export interface Pricing {
  chain: Chain;
  readonly cap: bigint | undefined;
  /** Whether the network's tags keep a replacement's price from being raised (facts 15.2). */
  isTagged: boolean;
  /** Set if the relayer prices legacy transactions: what its node reports. Both members are then the gas price. */
  gasPrice?: bigint;
}

const PERCENTILES: Readonly<Record<string, number>> = { safeLow: 30, average: 50, fast: 85, fastest: 99 };

const LEGACY_PERCENT: Readonly<Record<string, bigint>> = { safeLow: 100n, average: 125n, fast: 150n, fastest: 200n };

/** The service's market price (facts 5.3, 15.12). */
export function marketPrice({ chain, gasPrice }: Pick<Pricing, "chain" | "gasPrice">, speed: string): Price {
  if (gasPrice !== undefined) {
    const price = (gasPrice * (LEGACY_PERCENT[speed] ?? 150n)) / 100n;
    return { maxFee: price, tip: price };
  }
  const tip = rewardOf(chain, PERCENTILES[speed] ?? 85);
  const rise = Math.min(10, 1.125 ** Math.floor(90_000 / chain.blockTime));
  const billionths = BigInt(Math.floor(rise * 1e9));
  return { tip, maxFee: (chain.head.baseFee * billionths) / 1_000_000_000n + tip };
}

/** The price of a first version: the market's, silently capped (facts 5.3). */
export function firstPrice(pricing: Pricing, speed: string): Price {
  return capped(marketPrice(pricing, speed), pricing.cap);
}

/** A tenth more, and at least 1 more (facts 15). */
export function up(price: bigint): bigint {
  const tenthMore = (price * 11n) / 10n;
  return tenthMore > price + 1n ? tenthMore : price + 1n;
}

/**
 * Returns a requested replacement's price: at least a tenth more, even above the cap, or on tagged networks the
 * market's (facts 15.1, 15.2).
 */
export function requestedPrice(pricing: Pricing, old: Price, speed: string): Price {
  const market = capped(marketPrice(pricing, speed), pricing.cap);
  if (pricing.isTagged) return market;
  return { maxFee: higher(market.maxFee, up(old.maxFee)), tip: higher(market.tip, up(old.tip)) };
}

/**
 * Returns the worker's price for a request: again a tenth more, up to the cap (facts 15.1); undefined if the cap is too
 * low.
 */
export function resentPrice(pricing: Pricing, old: Price, speed: string, isNoop: boolean): Price | undefined {
  const market = marketPrice(pricing, speed);
  if (pricing.isTagged) return capped(market, isNoop ? undefined : pricing.cap);
  const least = { maxFee: up(old.maxFee), tip: up(old.tip) };
  const raised = { maxFee: higher(market.maxFee, least.maxFee), tip: higher(market.tip, least.tip) };
  if (isNoop) return raised;
  const price = capped(raised, pricing.cap);
  return price.maxFee >= least.maxFee && price.tip >= least.tip ? price : undefined;
}

function capped({ maxFee, tip }: Price, cap: bigint | undefined): Price {
  if (cap === undefined) return { maxFee, tip };
  return { maxFee: lower(maxFee, cap), tip: lower(tip, cap) };
}

const higher = (one: bigint, other: bigint) => (one > other ? one : other);
const lower = (one: bigint, other: bigint) => (one < other ? one : other);
