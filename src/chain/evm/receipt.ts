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
  /** The further wei for its data on another chain, on an optimism-based network; undefined elsewhere. */
  dataFee?: bigint | undefined;
}

function parseReceipt(found: JsonValue): Receipt | undefined {
  if (!isJsonObject(found)) return undefined;
  const hash = hashOf(found.transactionHash);
  const block = quantity(found.blockNumber);
  const reverted = revertedOf(found.status ?? null);
  if (hash === undefined || block === undefined || reverted === null) return undefined;
  return {
    hash,
    block,
    reverted,
    gasUsed: quantity(found.gasUsed),
    gasPrice: quantity(found.effectiveGasPrice),
    ...(found.l1Fee !== undefined && { dataFee: quantity(found.l1Fee) }),
  };
}

/** Returns whether a status shows a failed execution; undefined without a status, and null if it is neither 0 nor 1. */
function revertedOf(status: JsonValue): boolean | undefined | null {
  if (status === null) return undefined;
  const found = quantity(status);
  return found === 0n || found === 1n ? found === 0n : null;
}

/**
 * Reads the receipt of a hash; null if it is not mined. A receipt for another hash, or from another block than the
 * transaction's, is not believed.
 */
export async function readReceipt(node: ChainNode, hash: string, block?: bigint): Promise<Reading<Receipt | null>> {
  const method = "eth_getTransactionReceipt";
  const found = await read(node, method, [hash], (value) => (value === null ? null : parseReceipt(value)));
  if ("fault" in found || found.value === null) return found;
  if (found.value.hash !== hash.toLowerCase())
    return unreadable(`the response to ${method} is about another transaction`);
  if (block === undefined || found.value.block === block) return found;
  return unreadable(`the receipt is from block ${found.value.block}, and the transaction from block ${block}`);
}
