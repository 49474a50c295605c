import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { GAS_PRICE } from "../../../contract/currency.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { AskNode } from "../on-chain/call-node.ts";
import { marketPrice } from "./market-price.ts";

/** What a transaction will cost beside what it sends. */
export interface Fee {
  amount: bigint;
  /** `about` of an estimate, `at most` of a limit. */
  bound: "about" | "at most";
  /** What it is made of: `fast, 10.85 gwei × 21000`. */
  words?: string;
}

interface Priced {
  kind: NetworkKind;
  body: JsonObject;
  relayer: Relayer;
  /** Asks the relayer's node; absent where no request may be made for an estimate. */
  request: AskNode | undefined;
}

/** The service's default limit, in stroops (facts 5.7). */
const STELLAR_LIMIT = 1_000_000n;

/**
 * The fee, as far as it can be known before anything is sent; undefined where the service alone sets it.
 * @throws RelayctlError where the node cannot be asked
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

/** The service adds a tenth to its node's estimate, as a limit; only what is used is paid (facts 5.3). */
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
