import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";

const GWEI = 1_000_000_000n;
/** The tip in wei for each speed, and the percentage of the gas price on a legacy network (facts 5.3, 13.7). */
const TIPS: Readonly<Record<string, bigint>> = {
  safeLow: 300_000_000n,
  average: 500_000_000n,
  fast: 850_000_000n,
  fastest: 990_000_000n,
};
const LEGACY_PERCENT: Readonly<Record<string, bigint>> = { safeLow: 100n, average: 125n, fast: 150n, fastest: 200n };
export const BASE_FEE = 10n * GWEI;
const GAS_PRICE = 20n * GWEI;

/**
 * Returns the prices of a transaction when it is sent: the requested ones, or the market's for its speed, silently
 * capped if the relayer has a cap (facts 4.3, 5.3).
 */
export function marketPrices(relayer: Resource, transaction: JsonObject): JsonObject {
  const { speed } = transaction;
  if (typeof speed !== "string") return {};
  const policies = isJsonObject(relayer.policies) ? relayer.policies : {};
  const cap = wireAmount(policies.gas_price_cap);
  if (policies.eip1559_pricing === false) {
    return { gas_price: String(capped((GAS_PRICE * (LEGACY_PERCENT[speed] ?? 100n)) / 100n, cap)) };
  }
  const tip = TIPS[speed] ?? 0n;
  return {
    max_fee_per_gas: String(capped(BASE_FEE + tip, cap)),
    max_priority_fee_per_gas: String(capped(tip, cap)),
  };
}

/**
 * Returns the tip that this percentage of a block's transactions paid at most: the tip of the speed that uses this
 * percentile.
 */
export function tipAt(percentile: number): bigint {
  const speed = percentile < 50 ? "safeLow" : percentile < 85 ? "average" : percentile < 99 ? "fast" : "fastest";
  return TIPS[speed] ?? 0n;
}

function capped(price: bigint, cap: bigint | undefined): bigint {
  return cap !== undefined && cap < price ? cap : price;
}

/** Returns the gas that the service assumes if its node gives no estimate (facts 5.3). */
export function estimatedGas({ data }: JsonObject): number {
  if (typeof data !== "string" || data === "0x") return 21_000;
  return KNOWN_GAS[data.slice(0, 10).toLowerCase()] ?? 200_000;
}

/** Gas by the first four bytes of the data: ERC-20 `transfer` and `transferFrom`. */
const KNOWN_GAS: Readonly<Record<string, number>> = { "0xa9059cbb": 65_000, "0x23b872dd": 80_000 };
