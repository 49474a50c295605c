import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import { type ChainNode, type Reading, read, unreadable } from "../node/node.ts";
import { hashOf, quantity } from "./quantity.ts";

/** What a mined transaction did. */
export interface Receipt {
  hash: string;
  block: bigint;
  /** Whether its execution failed; undefined for a chain whose receipts do not show it. */
  reverted: boolean | undefined;
  gasUsed: bigint | undefined;
  /** Wei per gas that was paid. */
  gasPrice: bigint | undefined;
}

function parseReceipt(found: JsonValue): Receipt | undefined {
  if (!isJsonObject(found)) return undefined;
  const hash = hashOf(found.transactionHash);
  const block = quantity(found.blockNumber);
  const status = quantity(found.status);
  if (hash === undefined || block === undefined) return undefined;
  return {
    hash,
    block,
    reverted: status === undefined ? undefined : status === 0n,
    gasUsed: quantity(found.gasUsed),
    gasPrice: quantity(found.effectiveGasPrice),
  };
}

/** Reads the receipt of a hash; null if it is not mined. A receipt for another hash is not believed. */
export async function readReceipt(node: ChainNode, hash: string): Promise<Reading<Receipt | null>> {
  const method = "eth_getTransactionReceipt";
  const found = await read(node, method, [hash], (value) => (value === null ? null : parseReceipt(value)));
  if ("fault" in found || found.value === null || found.value.hash === hash.toLowerCase()) return found;
  return unreadable(`the response to ${method} is about another transaction`);
}
