import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { isSilent } from "../node/fault-kind.ts";
import { type ChainNode, nodeFault, type Reading, read } from "../node/node.ts";
import { readBlockHash } from "./block.ts";
import { hashOf, quantity, quantityText } from "./quantity.ts";
import type { ChainTransaction } from "./transaction.ts";

export interface Receipt {
  hash: string;
  block: bigint;
  blockHash: string;
  /** Whether its execution failed; undefined before Byzantium, with `root` in place of `status`. */
  reverted: boolean | undefined;
  gasUsed: bigint | undefined;
  /** Wei per gas. */
  gasPrice: bigint | undefined;
  /** The additional wei for its data on another chain, on an optimism-based network. */
  dataFee?: bigint | undefined;
}

function parseReceipt(found: JsonValue): Receipt | undefined {
  if (!isJsonObject(found)) return undefined;
  const hash = hashOf(found.transactionHash);
  const block = quantity(found.blockNumber);
  const blockHash = hashOf(found.blockHash);
  const reverted = isReverted(found);
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

/** Returns whether a status shows a failed execution: undefined with a root in its place, null without either. */
function isReverted({ status, root }: JsonObject): boolean | undefined | null {
  if ((status ?? null) === null) return hashOf(root) === undefined ? null : undefined;
  const found = quantity(status);
  return found === 0n || found === 1n ? found === 0n : null;
}

/** Reads the receipt of a hash from any block; null if it is not mined. */
export async function findReceipt(node: ChainNode, hash: string): Promise<Reading<Receipt | null>> {
  const method = "eth_getTransactionReceipt";
  const found = await read(node, method, [hash], (value) => (value === null ? null : parseReceipt(value)));
  if ("fault" in found || found.value === null || found.value.hash === hash.toLowerCase()) return found;
  return nodeFault(`the response to ${method} is about another transaction`);
}

export function feeIn({ gasUsed, gasPrice, dataFee = 0n }: Receipt): bigint | undefined {
  return gasUsed === undefined || gasPrice === undefined ? undefined : gasUsed * gasPrice + dataFee;
}

/**
 * Reads the receipt of a hash; null if it is not mined. A receipt for another hash, or from a block that is not the
 * transaction's or the chain's with this number, is not believed: a reorganization may have replaced its block.
 * @param blockHash of the chain's block, if it was read
 */
export async function readReceipt(
  node: ChainNode,
  hash: string,
  block: bigint,
  blockHash?: string,
): Promise<Reading<Receipt | null>> {
  const found = await findReceipt(node, hash);
  if ("fault" in found || found.value === null) return found;
  if (found.value.block !== block)
    return nodeFault(`the receipt is from block ${found.value.block}, and the transaction from block ${block}`);
  const canonical = blockHash === undefined ? await readBlockHash(node, block) : { value: blockHash };
  if ("fault" in canonical || canonical.value === found.value.blockHash)
    return "fault" in canonical ? canonical : found;
  return nodeFault(`the receipt is from a block ${block} that is not the chain's`);
}

/** Reads one block's receipts at once, or one by one if the node can't, which is only asked once. */
export function createReceiptReader(node: ChainNode) {
  let isAsked = true;
  return async (
    block: bigint,
    mined: readonly ChainTransaction[],
    blockHash?: string,
  ): Promise<Reading<readonly Receipt[]>> => {
    if (isAsked) {
      const found = await readBlockReceipts(node, block, mined, blockHash);
      if (!("fault" in found) || isSilent(found.fault)) return found;
      isAsked = false;
    }
    const receipts: Receipt[] = [];
    for (const { hash } of mined) {
      const found = await readReceipt(node, hash, block, blockHash);
      if ("fault" in found) return found;
      if (found.value === null) return missingReceipt(hash, block);
      receipts.push(found.value);
    }
    return { value: receipts };
  };
}

/** Reads a block's current receipts by its number. Only the wanted ones are validated. */
async function readBlockReceipts(
  node: ChainNode,
  block: bigint,
  mined: readonly ChainTransaction[],
  blockHash: string | undefined,
): Promise<Reading<readonly Receipt[]>> {
  const found = await read(node, "eth_getBlockReceipts", [quantityText(block)], (found) => {
    if (!Array.isArray(found)) return undefined;
    return new Map(found.map((item) => [(isJsonObject(item) ? hashOf(item.transactionHash) : undefined) ?? "", item]));
  });
  if ("fault" in found) return found;
  const receipts: Receipt[] = [];
  for (const { hash } of mined) {
    const receipt = parseReceipt(found.value.get(hash) ?? null);
    const isOther = blockHash !== undefined && receipt?.blockHash !== blockHash;
    if (receipt?.block !== block || isOther) return missingReceipt(hash, block);
    receipts.push(receipt);
  }
  return { value: receipts };
}

function missingReceipt(hash: string, block: bigint) {
  return nodeFault(`block ${block} does not show the receipt of ${hash}; a reorganization may have replaced it`);
}
