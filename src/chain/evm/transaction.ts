import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { type ChainNode, nodeFault, type Reading, read } from "../node/node.ts";
import { addressOf, bytesOf, hashOf, quantity, quantityText } from "./quantity.ts";

/** A transaction as a node shows it. Hex texts are in lowercase, amounts in wei. */
export interface ChainTransaction {
  hash: string;
  from: string;
  /** Null for a contract creation. */
  to: string | null;
  value: bigint;
  data: string;
  nonce: bigint;
  /** Undefined while it waits in the node's pool. */
  block: bigint | undefined;
  /** Type 2 has both members, a legacy transaction only `gasPrice`. */
  maxFee: bigint | undefined;
  maxTip: bigint | undefined;
  gasPrice: bigint | undefined;
  gasLimit: bigint | undefined;
}

export function parseTransaction(found: JsonValue): ChainTransaction | undefined {
  if (!isJsonObject(found)) return undefined;
  const hash = hashOf(found.hash);
  const from = addressOf(found.from);
  const to = isAbsent(found.to) ? null : addressOf(found.to);
  const value = quantity(found.value);
  const data = isAbsent(found.input ?? found.data) ? "0x" : bytesOf(found.input ?? found.data);
  const nonce = quantity(found.nonce);
  const block = isAbsent(found.blockNumber) ? null : (quantity(found.blockNumber) ?? undefined);
  if (hash === undefined || from === undefined || to === undefined || value === undefined) return undefined;
  if (data === undefined || nonce === undefined || block === undefined) return undefined;
  return { hash, from, to, value, data, nonce, block: block ?? undefined, ...buildFees(found) };
}

function buildFees({ maxFeePerGas, maxPriorityFeePerGas, gasPrice, gas }: JsonObject) {
  return {
    maxFee: quantity(maxFeePerGas),
    maxTip: quantity(maxPriorityFeePerGas),
    // Nodes also return the effective price of a type-2 transaction here.
    gasPrice: quantity(maxFeePerGas) === undefined ? quantity(gasPrice) : undefined,
    gasLimit: quantity(gas),
  };
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === null || value === undefined;
}

/** Reads a transaction by its hash; null if unknown. A transaction with another hash is not believed. */
export async function readTransaction(node: ChainNode, hash: string): Promise<Reading<ChainTransaction | null>> {
  const method = "eth_getTransactionByHash";
  const found = await read(node, method, [hash], (value) => (value === null ? null : parseTransaction(value)));
  if ("fault" in found || found.value === null || found.value.hash === hash.toLowerCase()) return found;
  return nodeFault(`the response to ${method} is about another transaction`);
}

/** Reads the transaction of a sender with a nonce (facts 16.7); null if unknown. Few nodes have the method. */
export async function readBySenderAndNonce(
  node: ChainNode,
  from: string,
  nonce: bigint,
): Promise<Reading<ChainTransaction | null>> {
  const method = "eth_getTransactionBySenderAndNonce";
  const params = [from, quantityText(nonce)];
  const found = await read(node, method, params, (value) => (value === null ? null : parseTransaction(value)));
  if ("fault" in found || found.value === null) return found;
  const { value } = found;
  if (value.from === from.toLowerCase() && value.nonce === nonce) return found;
  return nodeFault(`the response to ${method} is about another transaction`);
}
