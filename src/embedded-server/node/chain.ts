import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";
import type { DemoState } from "../state/state.ts";
import { hex, isSame } from "./hex.ts";

/** What the chain knows of a hash. */
export interface OnChain {
  /** What was sent under this hash, which the record may not show any more (facts 13.1, 13.2). */
  version: Resource;
  record: Resource;
  isMined: boolean;
}

const MINED = ["mined", "confirmed", "canceled"];
const WAITING = ["sent", "submitted"];

/** Nothing for a hash that was never sent, and for one that lost its nonce to another version. */
export function findOnChain(state: DemoState, hash: JsonValue | undefined): OnChain | undefined {
  const kept = state.broadcast.held().find((version) => isSame(hash, version.hash));
  const record = kept
    ? state.transactions.get(kept.id)
    : state.transactions.held().find((each) => isSame(hash, each.hash) && !state.broadcast.get(each.id));
  if (!record) return undefined;
  const status = String(record.status);
  const isMined = MINED.includes(status) || (kept !== undefined && status === "failed");
  return isMined || WAITING.includes(status) ? { version: kept ?? record, record, isMined } : undefined;
}

/** As `eth_getTransactionByHash` tells it. `block` is nothing for one that waits. */
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

/** As `eth_getTransactionReceipt` tells it: nothing fails on this chain. */
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

/** What the service signs with if no limit is set (facts 5.4). */
const LEAST_GAS = 21_000n;

function price(field: JsonValue | undefined): JsonValue {
  const amount = wireAmount(field);
  return amount === undefined ? null : hex(amount);
}
