import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { type ChainNode, type Reading, read, unreadable } from "../node/node.ts";
import { readBlockHash } from "./block.ts";
import { hashOf, quantity } from "./quantity.ts";

/** What a mined transaction did. */
export interface Receipt {
  hash: string;
  block: bigint;
  blockHash: string;
  /** Whether its execution failed; undefined before Byzantium, with `root` in place of `status`. */
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
  const blockHash = hashOf(found.blockHash);
  const reverted = revertedOf(found);
  if (hash === undefined || block === undefined || blockHash === undefined || reverted === null) return undefined;
  return {
    hash,
    block,
    blockHash,
    reverted,
    gasUsed: quantity(found.gasUsed),
    gasPrice: quantity(found.effectiveGasPrice),
    ...(found.l1Fee !== undefined && { dataFee: quantity(found.l1Fee) }),
  };
}

/** Returns whether a status shows a failed execution; undefined if a root stands in its place, and null if neither does. */
function revertedOf({ status, root }: JsonObject): boolean | undefined | null {
  if ((status ?? null) === null) return hashOf(root) === undefined ? null : undefined;
  const found = quantity(status);
  return found === 0n || found === 1n ? found === 0n : null;
}

/**
 * Reads the receipt of a hash; null if it is not mined. A receipt for another hash, or from another block than the
 * transaction's or than the chain's with this number, is not believed: a reorganization may have replaced its block.
 */
export async function readReceipt(node: ChainNode, hash: string, block: bigint): Promise<Reading<Receipt | null>> {
  const method = "eth_getTransactionReceipt";
  const found = await read(node, method, [hash], (value) => (value === null ? null : parseReceipt(value)));
  if ("fault" in found || found.value === null) return found;
  if (found.value.hash !== hash.toLowerCase())
    return unreadable(`the response to ${method} is about another transaction`);
  if (found.value.block !== block)
    return unreadable(`the receipt is from block ${found.value.block}, and the transaction from block ${block}`);
  const canonical = await readBlockHash(node, block);
  if ("fault" in canonical || canonical.value === found.value.blockHash)
    return "fault" in canonical ? canonical : found;
  return unreadable(`the receipt is from a block ${block} that is not the chain's`);
}
