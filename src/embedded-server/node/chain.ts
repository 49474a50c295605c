import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";

/** The chain's data for a hash. */
export interface OnChain {
  /** The version sent under this hash, which the record may no longer show (facts 13.1, 13.2). */
  version: Resource;
  record: Resource;
  isMined: boolean;
}

const MINED = ["mined", "confirmed", "canceled"];
const WAITING = ["sent", "submitted"];

/** Returns undefined for a hash that was never sent, and for one that lost its nonce to another version. */
export function findOnChain(state: ServerState, hash: JsonValue | undefined): OnChain | undefined {
  const kept = state.broadcast.held().find((version) => isSame(hash, version.hash));
  const record = kept
    ? state.transactions.get(kept.id)
    : state.transactions.held().find((each) => isSame(hash, each.hash) && !state.broadcast.get(each.id));
  if (!record) return undefined;
  const status = String(record.status);
  const isMined = MINED.includes(status) || (kept !== undefined && status === "failed");
  return isMined || WAITING.includes(status) ? { version: kept ?? record, record, isMined } : undefined;
}

/** Returns a transaction in the form of `eth_getTransactionByHash`. `block` is undefined for a pending one. */
export function shownTransaction(
  { hash, from, to, data, ...version }: Resource,
  block: bigint | undefined,
): JsonObject {
  return {
    hash: hash ?? null,
    from: from ?? null,
    to: to ?? null,
    value: hex(wireAmount(version.value) ?? 0n),
    input: data ?? "0x",
    nonce: hex(wireAmount(version.nonce) ?? 0n),
    gas: hex(wireAmount(version.gas_limit) ?? LEAST_GAS),
    gasPrice: price(version.gas_price),
    maxFeePerGas: price(version.max_fee_per_gas),
    maxPriorityFeePerGas: price(version.max_priority_fee_per_gas),
    blockNumber: block === undefined ? null : hex(block),
  };
}

/** Returns a receipt in the form of `eth_getTransactionReceipt`: no transaction fails on this chain. */
export function shownReceipt({ hash, from, to, gas_limit }: Resource, block: bigint): JsonObject {
  return {
    transactionHash: hash ?? null,
    from: from ?? null,
    to: to ?? null,
    blockNumber: hex(block),
    gasUsed: hex(wireAmount(gas_limit) ?? LEAST_GAS),
    status: "0x1",
  };
}

/** The gas limit that the service uses if none is set (facts 5.4). */
const LEAST_GAS = 21_000n;

function price(field: JsonValue | undefined): JsonValue {
  const amount = wireAmount(field);
  return amount === undefined ? null : hex(amount);
}

/** Formats a quantity for Ethereum's JSON-RPC. */
export function hex(amount: bigint): string {
  return `0x${amount.toString(16)}`;
}

/** Compares hex digits, ignoring case. */
export function isSame(requested: JsonValue | undefined, known: JsonValue | undefined): boolean {
  return typeof requested === "string" && typeof known === "string" && requested.toLowerCase() === known.toLowerCase();
}
