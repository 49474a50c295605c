import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { GAS_PRICE } from "../../../contract/currency.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { AskNode } from "../on-chain/call-node.ts";

/** The cost of a transaction besides the amount that it sends. */
export interface Fee {
  amount: bigint;
  /** `about` for an estimate, `at most` for a limit. */
  bound: "about" | "at most";
  /** How it is calculated: `fast, 10.85 gwei × 21000`. */
  words?: string;
}

interface Priced {
  kind: NetworkKind;
  body: JsonObject;
  relayer: Relayer;
  /** Sends a request to the relayer's node; absent if estimates may not send requests. */
  request: AskNode | undefined;
}

/** The service's default limit in stroops (facts 5.7). */
const STELLAR_LIMIT = 1_000_000n;

/**
 * Returns the fee, as far as it is known before sending; undefined if only the service sets it.
 * @throws RelayctlError if the node cannot be reached
 */
export async function feeOf({ kind, body, relayer, request }: Priced): Promise<Fee | undefined> {
  if (kind === "stellar") return { amount: wireAmount(body.max_fee) ?? STELLAR_LIMIT, bound: "at most" };
  if (kind === "solana") return undefined;
  const gas = await gasOf(body, relayer, request);
  const price = gas === undefined ? undefined : await priceOf(body, relayer, request);
  if (gas === undefined || !price) return undefined;
  const words = [price.words, `${formatAmount(price.amount, GAS_PRICE)} × ${gas}`].filter(Boolean).join(", ");
  return { amount: price.amount * gas, bound: price.bound, words };
}

const TRANSFER = 21_000n;

/**
 * Returns the gas. The service adds a tenth to its node's estimate as a limit; only the used gas is paid (facts 5.3).
 */
async function gasOf(
  { gas_limit: limit, to, value, data }: JsonObject,
  { address }: Relayer,
  request: AskNode | undefined,
) {
  const given = wireAmount(limit);
  if (given !== undefined) return given;
  if (typeof to === "string" && (data === undefined || data === "0x")) return TRANSFER;
  const call = {
    from: address ?? null,
    ...(to !== undefined && { to }),
    ...(data !== undefined && { data }),
    value: `0x${(wireAmount(value) ?? 0n).toString(16)}`,
  };
  return request && wireAmount(await request("eth_estimateGas", [call]));
}

type Price = Pick<Fee, "bound" | "words"> & { amount: bigint };

async function priceOf(body: JsonObject, relayer: Relayer, request: AskNode | undefined): Promise<Price | undefined> {
  const legacy = wireAmount(body.gas_price);
  if (legacy !== undefined) return { amount: legacy, bound: "about" };
  const most = wireAmount(body.max_fee_per_gas);
  if (most !== undefined) return { amount: most, bound: "at most" };
  if (typeof body.speed !== "string") return undefined;
  const market = request && (await marketPrice(request, body.speed, relayer));
  return market === undefined ? undefined : { amount: market, bound: "about", words: body.speed };
}

/** The reward percentile of each speed, and its percentage of the gas price on a legacy network (facts 5.3). */
const SPEEDS: Readonly<Record<string, { percentile: number; percent: bigint }>> = {
  safeLow: { percentile: 30, percent: 100n },
  average: { percentile: 50, percent: 125n },
  fast: { percentile: 85, percent: 150n },
  fastest: { percentile: 99, percent: 200n },
};
const BLOCKS = "0x4";

/**
 * Returns the current gas price at a speed, as the service calculates it (facts 5.3, 15.12): base fee and tip, at most
 * the relayer's cap. Undefined if the node does not report it.
 */
async function marketPrice(request: AskNode, speed: string, relayer: Relayer): Promise<bigint | undefined> {
  const known = SPEEDS[speed];
  const { eip1559_pricing: isDynamic, gas_price_cap: cap } = isJsonObject(relayer.policies) ? relayer.policies : {};
  if (!known) return undefined;
  const price =
    isDynamic === false
      ? scaled(wireAmount(await request("eth_gasPrice", [])), known.percent)
      : dynamicPrice(await request("eth_feeHistory", [BLOCKS, "latest", [known.percentile]]));
  const most = wireAmount(cap);
  return price !== undefined && most !== undefined && most < price ? most : price;
}

function scaled(price: bigint | undefined, percent: bigint): bigint | undefined {
  return price === undefined ? undefined : (price * percent) / 100n;
}

/** Returns the base fee of the next block, plus the mean of the tips. */
function dynamicPrice(history: JsonValue): bigint | undefined {
  const { baseFeePerGas: fees, reward } = isJsonObject(history) ? history : {};
  const base = Array.isArray(fees) ? wireAmount(fees.at(-1)) : undefined;
  const tips = (Array.isArray(reward) ? reward : []).map((tip) =>
    Array.isArray(tip) ? wireAmount(tip[0]) : undefined,
  );
  if (base === undefined || tips.length === 0 || !tips.every((tip) => tip !== undefined)) return undefined;
  return base + tips.reduce((sum, tip) => sum + tip, 0n) / BigInt(tips.length);
}
