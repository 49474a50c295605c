import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import { policyCap, relayerPolicies } from "../../contract/policy.ts";
import { leastReplacementPrice } from "../../contract/transaction/replacement-price.ts";
import { isNoopTx } from "../../contract/transaction/transaction.ts";
import type { Resource } from "../state/collection.ts";

/** The prices on one network over time. Times are in milliseconds since 1970. */
export interface PriceHistory {
  at(time: number): SimMarket;
  /** Returns the first time from this one at which the base fee is at most `fee`, if there is one. */
  whenAtMost(fee: bigint, time: number): number | undefined;
}

/** Milliseconds between two changes of the prices. */
const STEP = 60_000;
const STEPS = 10;

/** Returns prices that never change, or rise by a tenth a minute for ten minutes, then fall back, and so on. */
export function marketHistory(steady: SimMarket, since?: number): PriceHistory {
  if (since === undefined) {
    return { at: () => steady, whenAtMost: (fee, time) => (steady.baseFee <= fee ? time : undefined) };
  }
  const at = (time: number) => raisedMarket(steady, risesAt(Math.max(Math.floor((time - since) / STEP), 0)));
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

function raisedMarket({ baseFee, tips, gasPrice }: SimMarket, times: number): SimMarket {
  const price = (steady: bigint) => (steady * 11n ** BigInt(times)) / 10n ** BigInt(times);
  return {
    baseFee: price(baseFee),
    tips: Object.fromEntries(Object.entries(tips).map(([speed, tip]) => [speed, price(tip)])),
    gasPrice: price(gasPrice),
  };
}

const GWEI = 1_000_000_000n;
const MWEI = 1_000_000n;

export interface SimMarket {
  baseFee: bigint;
  /** The tip of each speed, which is also the tip that its percentile of a block's transactions paid (facts 5.3). */
  tips: Readonly<Record<string, bigint>>;
  /** The node's price for a legacy transaction. */
  gasPrice: bigint;
}

const USUAL: SimMarket = { baseFee: GWEI, tips: buildTips(300n, 500n, 850n, 990n), gasPrice: 20n * GWEI };

/** Networks whose prices explain the demo seed; on Base, no replacement can succeed (facts 15.2). */
const MARKETS: Readonly<Record<string, SimMarket>> = {
  "evm:base": { ...USUAL, tips: buildTips(820n, 830n, 850n, 880n) },
  "evm:mainnet": { ...USUAL, baseFee: 12_600n * MWEI },
  "evm:polygon": { ...USUAL, baseFee: 31n * GWEI, gasPrice: 32n * GWEI },
  "evm:sepolia": { ...USUAL, baseFee: 4_384_623_862n },
};

function buildTips(...[safeLow = 0n, average = 0n, fast = 0n, fastest = 0n]: bigint[]): SimMarket["tips"] {
  return { safeLow: safeLow * MWEI, average: average * MWEI, fast: fast * MWEI, fastest: fastest * MWEI };
}

export function steadyMarket({ id }: Pick<Resource, "id">): SimMarket {
  return MARKETS[id] ?? USUAL;
}

/** The percentage of the gas price that each speed pays on a legacy network (facts 5.3). */
const LEGACY_PERCENT: Readonly<Record<string, bigint>> = { safeLow: 100n, average: 125n, fast: 150n, fastest: 200n };

export interface PriceQuestion {
  market: SimMarket;
  network: Resource;
  relayer: Resource;
  speed: string;
}

/** Returns the service's price at a speed (facts 5.3, 15.12), uncapped, in the relayer's type. */
export function marketPrices({ market, network, relayer, speed }: PriceQuestion): PriceMembers {
  const { baseFee, tips, gasPrice } = market;
  if (relayerPolicies(relayer).eip1559_pricing === false) {
    return { gas_price: (gasPrice * (LEGACY_PERCENT[speed] ?? 100n)) / 100n };
  }
  const tip = tips[speed] ?? 0n;
  const room = BigInt(
    Math.floor(Math.min(10, 1.125 ** Math.floor(90_000 / Number(network.average_blocktime_ms ?? 12_000))) * 1e9),
  );
  return { max_fee_per_gas: (baseFee * room) / 1_000_000_000n + tip, max_priority_fee_per_gas: tip };
}

/** The prices of a transaction in wei, of either type. */
type PriceMembers = Partial<Record<PriceMember, bigint>>;
type PriceMember = (typeof PRICE_MEMBERS)[number];
const PRICE_MEMBERS = ["gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"] as const;

export function marketTipAt({ tips }: SimMarket, percentile: number): bigint {
  const speed = percentile < 50 ? "safeLow" : percentile < 85 ? "average" : percentile < 99 ? "fast" : "fastest";
  return tips[speed] ?? 0n;
}

/** Milliseconds until a block takes a transaction with each speed's tip. */
const WAITS: readonly (readonly [speed: string, wait: number])[] = [
  ["fastest", 10_000],
  ["fast", 30_000],
  ["average", 60_000],
];
const LONGEST_WAIT = 120_000;

export function marketWait({ tips }: SimMarket, tip: bigint): number {
  return WAITS.find(([speed]) => tip >= (tips[speed] ?? 0n))?.[1] ?? LONGEST_WAIT;
}

/** Returns the gas that the service assumes if its node gives no estimate (facts 5.3). */
export function marketGasEstimate({ data }: JsonObject): number {
  if (typeof data !== "string" || data === "0x") return 21_000;
  return KNOWN_GAS[data.slice(0, 10).toLowerCase()] ?? 200_000;
}

/** Gas by the first four bytes of the data: ERC-20 `transfer` and `transferFrom`. */
const KNOWN_GAS: Readonly<Record<string, number>> = { "0xa9059cbb": 65_000, "0x23b872dd": 80_000 };

export interface Pricing extends PriceQuestion {
  old: Resource;
}

/**
 * Returns the prices that a replacement is stored with: at least a tenth above the old ones, even above the cap, or on
 * a network without a bump, the market's (facts 15.1, 15.2). Undefined if the old record lacks prices of the relayer's
 * type.
 */
export function workerStoredPrices(pricing: Pricing): PriceMembers | undefined {
  const market = cappedMarket(pricing);
  const pairs = pricePairs(pricing, market);
  if (!pairs.some(([member]) => market[member] !== undefined)) return undefined;
  return hasNoBump(pricing.network) ? market : raisePrices(pairs);
}

/**
 * Returns the prices that the worker sends a replacement with: at least a tenth above the record's, but never above the
 * cap; undefined if both is not possible (facts 15.1). A no-op is not capped (facts 15.12).
 */
export function workerSentPrices(pricing: Pricing): PriceMembers | undefined {
  const { network, relayer, old } = pricing;
  const isCapped = !isNoopTx(old);
  const market = isCapped ? cappedMarket(pricing) : marketPrices(pricing);
  if (hasNoBump(network)) return market;
  const cap = isCapped ? policyCap(relayer) : undefined;
  const pairs = pricePairs(pricing, market);
  const isTooLow = cap !== undefined && pairs.some(([, before]) => cap < leastReplacementPrice(before));
  return isTooLow || pairs.length === 0 ? undefined : raisePrices(pairs);
}

type PricePair = [member: PriceMember, before: bigint, offered: bigint];

function pricePairs({ old }: Pricing, market: PriceMembers): PricePair[] {
  return PRICE_MEMBERS.flatMap((member) => {
    const before = wireAmount(old[member]);
    return before === undefined ? [] : [[member, before, market[member] ?? 0n] as PricePair];
  });
}

function raisePrices(pairs: readonly PricePair[]): PriceMembers {
  return Object.fromEntries(
    pairs.map(([member, before, offered]) => [member, maxPrice(leastReplacementPrice(before), offered)]),
  );
}

/** Returns the market's prices for the speed of a transaction, silently capped (facts 4.3, 5.3). */
export function workerSpeedPrices({ speed }: Resource, pricing: Omit<PriceQuestion, "speed">): JsonObject {
  return typeof speed === "string" ? workerPriceTexts(cappedMarket({ ...pricing, speed })) : {};
}

function cappedMarket(pricing: PriceQuestion): PriceMembers {
  return workerCappedPrices(marketPrices(pricing), policyCap(pricing.relayer));
}

export function workerCappedPrices(prices: PriceMembers, cap: bigint | undefined): PriceMembers {
  if (cap === undefined) return prices;
  return Object.fromEntries(Object.entries(prices).map(([member, price]) => [member, price < cap ? price : cap]));
}

const NO_BUMP = ["no-mempool", "arbitrum-based", "optimism-based", "optimism"];

/** Returns whether the service raises no prices on this network (facts 15.2). */
function hasNoBump({ tags }: Resource): boolean {
  return Array.isArray(tags) && tags.some((tag) => NO_BUMP.includes(String(tag)));
}

export function workerPriceTexts(prices: PriceMembers): JsonObject {
  return Object.fromEntries(PRICE_MEMBERS.map((member) => [member, prices[member]?.toString() ?? null]));
}

function maxPrice(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
