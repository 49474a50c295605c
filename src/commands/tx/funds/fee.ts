import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { GAS_PRICE } from "../../../contract/currency.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { AskNode } from "../on-chain/call-node.ts";
import { marketPrice } from "./market-price.ts";

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
