import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import { policyCap } from "../../contract/policy.ts";
import { leastReplacementPrice } from "../../contract/transaction/replacement-price.ts";
import { isNoopTx } from "../../contract/transaction/transaction.ts";
import {
  marketPrices,
  PRICE_MEMBERS,
  type PriceMember,
  type PriceMembers,
  type PriceQuestion,
} from "../chain/market.ts";
import type { Resource } from "../state/collection.ts";

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
  return hasNoBump(pricing.network) ? market : raised(pairs);
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
  return isTooLow || pairs.length === 0 ? undefined : raised(pairs);
}

type PricePair = [member: PriceMember, before: bigint, offered: bigint];

function pricePairs({ old }: Pricing, market: PriceMembers): PricePair[] {
  return PRICE_MEMBERS.flatMap((member) => {
    const before = wireAmount(old[member]);
    return before === undefined ? [] : [[member, before, market[member] ?? 0n] as PricePair];
  });
}

function raised(pairs: readonly PricePair[]): PriceMembers {
  return Object.fromEntries(
    pairs.map(([member, before, offered]) => [member, larger(leastReplacementPrice(before), offered)]),
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

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
