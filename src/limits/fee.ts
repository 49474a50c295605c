import { legacyMarketPrice, marketTip, readFeeHistory, type Speed } from "../chain/evm/fee-history.ts";
import { parseQuantity } from "../chain/evm/quantity.ts";
import { type ChainNode, readFromNode } from "../chain/node/node.ts";
import { priceText, wireAmount } from "../contract/amount.ts";
import { type JsonObject, type JsonValue, objectIn } from "../contract/json.ts";
import type { NetworkKind } from "../contract/network-kind.ts";
import { relayerPolicies } from "../contract/policy.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { DEFAULT_STELLAR_FEE, SPEEDS, TRANSFER_GAS } from "../contract/transaction/replacement-price.ts";
import { RelayctlError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { FUNDS_TIMEOUT } from "../timing.ts";

/** A transaction's amount from the relayer's balance, without its fee, or why the body does not show it. */
export type Outgoing = { amount: bigint; path: string } | { unknown: string };

const IN_TRANSACTION = "the built transaction contains the amounts";

export function outgoingWithoutFee(kind: NetworkKind, body: JsonObject, address: JsonValue | undefined): Outgoing {
  if (kind === "evm") return { amount: wireAmount(body.value) ?? 0n, path: "value" };
  const { operations } = body;
  if (kind === "solana")
    return { unknown: body.transaction === undefined ? "the instructions contain the amounts" : IN_TRANSACTION };
  if (!Array.isArray(operations)) return { unknown: IN_TRANSACTION };
  const source = body.source_account ?? address;
  if (source !== address) return { unknown: "another account pays" };
  return {
    amount: operations.reduce((sum: bigint, each) => sum + (nativePayment(each) ?? 0n), 0n),
    path: "operations",
  };
}

/** Returns undefined for an amount that cannot be read. */
export function nativePayment(operation: JsonValue): bigint | undefined {
  const { type, amount, asset } = objectIn(operation);
  const isNative = type === "payment" && objectIn(asset).type === "native";
  return isNative ? wireAmount(amount) : 0n;
}

type Asking = Pick<Session, "briefly" | "interrupt" | "say">;

export async function readBalanceForFee({ briefly, interrupt, say }: Asking, id: string): Promise<bigint | undefined> {
  try {
    const { data } = await briefly(FUNDS_TIMEOUT).relayers.balance(id);
    const balance = wireAmount(data.balance);
    if (balance === undefined)
      await say({ note: `the balance of ${id} could not be read; the amount was not checked` });
    return balance;
  } catch (error) {
    if (!(error instanceof RelayctlError) || interrupt.aborted) throw error;
    await say({ note: `the balance of ${id} could not be read, and the amount was not checked: ${error.message}` });
    return undefined;
  }
}

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
  /** The relayer's node; absent if estimates may not send requests. */
  node: ChainNode | undefined;
}

/** Returns the fee, unless only the service sets it. */
export async function readFee({ kind, body, relayer, node }: Priced): Promise<Fee | undefined> {
  if (kind === "stellar") return { amount: wireAmount(body.max_fee) ?? DEFAULT_STELLAR_FEE, bound: "at most" };
  if (kind === "solana") return undefined;
  const gas = await readGas(body, relayer, node);
  const price = gas === undefined ? undefined : await readPrice(body, relayer, node);
  if (gas === undefined || !price) return undefined;
  const words = [price.words, `${priceText(price.amount)} × ${gas}`].filter(Boolean).join(", ");
  return { amount: price.amount * gas, bound: price.bound, words };
}

/** Returns the gas. The service's limit is a tenth above its node's estimate; only used gas is paid (facts 5.3). */
async function readGas(
  { gas_limit: limit, to, value, data }: JsonObject,
  { address }: Relayer,
  node: ChainNode | undefined,
) {
  const given = wireAmount(limit);
  if (given !== undefined) return given;
  if (typeof to === "string" && (data === undefined || data === "0x")) return TRANSFER_GAS;
  const call = {
    from: address ?? null,
    ...(to !== undefined && { to }),
    ...(data !== undefined && { data }),
    value: `0x${(wireAmount(value) ?? 0n).toString(16)}`,
  };
  const gas = node && (await readFromNode(node, "eth_estimateGas", [call], parseQuantity));
  return gas && "value" in gas ? gas.value : undefined;
}

type Price = Pick<Fee, "bound" | "words"> & { amount: bigint };

async function readPrice(body: JsonObject, relayer: Relayer, node: ChainNode | undefined): Promise<Price | undefined> {
  const legacy = wireAmount(body.gas_price);
  if (legacy !== undefined) return { amount: legacy, bound: "about" };
  const most = wireAmount(body.max_fee_per_gas);
  if (most !== undefined) return { amount: most, bound: "at most" };
  const speed = SPEEDS.find((each) => each === body.speed);
  const market = node && speed && (await expectedPrice(node, speed, relayer));
  return market === undefined ? undefined : { amount: market, bound: "about", ...(speed && { words: speed }) };
}

/** Returns what it would pay now: base fee and tip, or the legacy price, up to the cap (facts 5.3). */
async function expectedPrice(node: ChainNode, speed: Speed, relayer: Relayer): Promise<bigint | undefined> {
  const { eip1559_pricing: isDynamic, gas_price_cap: cap } = relayerPolicies(relayer);
  const price = isDynamic === false ? await currentLegacyPrice(node, speed) : await currentPrice(node, speed);
  const most = wireAmount(cap);
  return price !== undefined && most !== undefined && most < price ? most : price;
}

async function currentLegacyPrice(node: ChainNode, speed: Speed): Promise<bigint | undefined> {
  const price = await readFromNode(node, "eth_gasPrice", [], parseQuantity);
  return "value" in price ? legacyMarketPrice(price.value, speed) : undefined;
}

async function currentPrice(node: ChainNode, speed: Speed): Promise<bigint | undefined> {
  const history = await readFeeHistory(node);
  return "value" in history ? history.value.nextBaseFee + marketTip(history.value, speed) : undefined;
}
