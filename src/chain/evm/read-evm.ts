import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { type ChainNode, isNodeSilent, nodeFault, type Reading, readFromNode } from "../node/node.ts";
import { blockTagText, hexAddress, hexBytes, hexHash, parseQuantity, quantityText } from "./quantity.ts";

export interface Block {
  number: bigint;
  time: number;
  /** Wei per gas; undefined before EIP-1559. */
  baseFee: bigint | undefined;
}

/** A block by its number, or the newest block, the newest final block, or the next block. */
export type BlockTag = bigint | "latest" | "finalized" | "pending";

/** Hours by which a block may be ahead of this machine's clock, which may be set to local time. */
const MOST_AHEAD = 18;
/** The last second that JavaScript's dates can show. */
const LAST_SECOND = 8_640_000_000_000n;

function parseBlock(found: JsonValue): Block | undefined {
  if (!isJsonObject(found)) return undefined;
  const number = parseQuantity(found.number);
  const seconds = parseQuantity(found.timestamp);
  if (number === undefined || seconds === undefined || seconds > LAST_SECOND) return undefined;
  return { number, time: Number(seconds) * 1000, baseFee: parseQuantity(found.baseFeePerGas) };
}

/** Reads the header of a block; its age is below zero if clocks differ. */
export async function readEvmBlock(node: ChainNode, at: BlockTag, now: number): Promise<Reading<Block>> {
  const found = await readFromNode(node, "eth_getBlockByNumber", [blockTagText(at), false], parseBlock);
  return "fault" in found ? found : checkHeadTime(found.value, at, now);
}

function checkHeadTime(block: Block, at: BlockTag, now: number): Reading<Block> {
  if (typeof at === "bigint" && block.number !== at) return nodeFault("the node returned another block");
  if (block.time > now + MOST_AHEAD * 3_600_000)
    return nodeFault(`the node's clock is more than ${MOST_AHEAD} hours ahead of this machine's`);
  return { value: block };
}

/** @param known from a block that was read */
export async function readEvmBlockHash(node: ChainNode, at: bigint, known?: string): Promise<Reading<string>> {
  if (known !== undefined) return { value: known };
  return await readFromNode(node, "eth_getBlockByNumber", [quantityText(at), false], (found) =>
    isJsonObject(found) && parseQuantity(found.number) === at ? hexHash(found.hash) : undefined,
  );
}

/** The blocks that are read together. */
const TOGETHER = 8;

/** Reads a sender's transactions in the blocks after one, up to another. */
export async function readEvmBlocksOfSender(
  node: ChainNode,
  sender: string,
  { after, last }: { after: bigint; last: bigint },
): Promise<Reading<readonly ChainTransaction[]>> {
  const own: ChainTransaction[] = [];
  for (let at = after + 1n; at <= last; at += BigInt(TOGETHER)) {
    const blocks = Array.from({ length: TOGETHER }, (_, index) => at + BigInt(index)).filter((each) => each <= last);
    for (const found of await Promise.all(blocks.map((each) => readSenderBlock(node, each, sender)))) {
      if ("fault" in found) return found;
      own.push(...found.value.own);
    }
  }
  return { value: own };
}

export async function readSenderBlock(node: ChainNode, at: bigint, sender: string) {
  return await readFromNode(node, "eth_getBlockByNumber", [quantityText(at), true], (value) => {
    const block = parseBlock(value);
    if (block?.number !== at || !isJsonObject(value) || !Array.isArray(value.transactions)) return undefined;
    const hash = hexHash(value.hash);
    const own = value.transactions.flatMap((item) => {
      const from = isJsonObject(item) && typeof item.from === "string" ? item.from.toLowerCase() : undefined;
      const transaction = from === sender.toLowerCase() ? parseTransaction(item) : undefined;
      return transaction?.block === at ? { ...transaction, blockHash: hash } : [];
    });
    return { ...block, hash, own: own.sort((one, other) => Number(one.nonce - other.nonce)) };
  });
}

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
  /** The chain's block with that number, if it was read whole. */
  blockHash?: string | undefined;
  /** Type 2 has both members, a legacy transaction only `gasPrice`. */
  maxFee: bigint | undefined;
  maxTip: bigint | undefined;
  gasPrice: bigint | undefined;
  gasLimit: bigint | undefined;
}

function parseTransaction(found: JsonValue): ChainTransaction | undefined {
  if (!isJsonObject(found)) return undefined;
  const hash = hexHash(found.hash);
  const from = hexAddress(found.from);
  const to = isAbsent(found.to) ? null : hexAddress(found.to);
  const value = parseQuantity(found.value);
  const data = isAbsent(found.input ?? found.data) ? "0x" : hexBytes(found.input ?? found.data);
  const nonce = parseQuantity(found.nonce);
  const block = isAbsent(found.blockNumber) ? null : (parseQuantity(found.blockNumber) ?? undefined);
  if (hash === undefined || from === undefined || to === undefined || value === undefined) return undefined;
  if (data === undefined || nonce === undefined || block === undefined) return undefined;
  return { hash, from, to, value, data, nonce, block: block ?? undefined, ...parseFees(found) };
}

function parseFees({ maxFeePerGas, maxPriorityFeePerGas, gasPrice, gas }: JsonObject) {
  return {
    maxFee: parseQuantity(maxFeePerGas),
    maxTip: parseQuantity(maxPriorityFeePerGas),
    // Nodes also return the effective price of a type-2 transaction here.
    gasPrice: parseQuantity(maxFeePerGas) === undefined ? parseQuantity(gasPrice) : undefined,
    gasLimit: parseQuantity(gas),
  };
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === null || value === undefined;
}

/** Reads something that the node may not know, which is then null. A different one is not believed. */
async function readAsked<T extends object>(
  node: ChainNode,
  { method, params }: { method: string; params: JsonArray },
  parse: (found: JsonValue) => T | undefined,
  isAsked: (found: T) => boolean,
): Promise<Reading<T | null>> {
  const found = await readFromNode(node, method, params, (value) => (value === null ? null : parse(value)));
  if ("fault" in found || found.value === null || isAsked(found.value)) return found;
  return nodeFault(`the response to ${method} is about another transaction`);
}

export async function readEvmTransaction(node: ChainNode, hash: string): Promise<Reading<ChainTransaction | null>> {
  const request = { method: "eth_getTransactionByHash", params: [hash] };
  return await readAsked(node, request, parseTransaction, (found) => found.hash === hash.toLowerCase());
}

/** Reads the transaction of a sender with a nonce (facts 16.7); null if unknown. Few nodes have the method. */
export async function readEvmBySenderAndNonce(
  node: ChainNode,
  from: string,
  nonce: bigint,
): Promise<Reading<ChainTransaction | null>> {
  const request = { method: "eth_getTransactionBySenderAndNonce", params: [from, quantityText(nonce)] };
  const isAsked = (found: ChainTransaction) => found.from === from.toLowerCase() && found.nonce === nonce;
  return await readAsked(node, request, parseTransaction, isAsked);
}

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
  const hash = hexHash(found.transactionHash);
  const block = parseQuantity(found.blockNumber);
  const blockHash = hexHash(found.blockHash);
  const reverted = isReverted(found);
  if (hash === undefined || block === undefined || blockHash === undefined || reverted === null) return undefined;
  return {
    hash,
    block,
    blockHash,
    reverted,
    gasUsed: parseQuantity(found.gasUsed),
    gasPrice: parseQuantity(found.effectiveGasPrice),
    ...(found.l1Fee !== undefined && { dataFee: parseQuantity(found.l1Fee) }),
  };
}

/** Returns whether a status shows a failed execution: undefined with a root in its place, null without either. */
function isReverted({ status, root }: JsonObject): boolean | undefined | null {
  if ((status ?? null) === null) return hexHash(root) === undefined ? null : undefined;
  const found = parseQuantity(status);
  return found === 0n || found === 1n ? found === 0n : null;
}

/** Reads the receipt of a hash from any block; null if it is not mined. */
export async function findEvmReceipt(node: ChainNode, hash: string): Promise<Reading<Receipt | null>> {
  const request = { method: "eth_getTransactionReceipt", params: [hash] };
  return await readAsked(node, request, parseReceipt, (found) => found.hash === hash.toLowerCase());
}

export function feeIn({ gasUsed, gasPrice, dataFee = 0n }: Receipt): bigint | undefined {
  return gasUsed === undefined || gasPrice === undefined ? undefined : gasUsed * gasPrice + dataFee;
}

/**
 * Reads the receipt of a hash; null if it is not mined. A receipt for another hash, or from a block that is not the
 * transaction's or the chain's with this number, is not believed: a reorganization may have replaced its block.
 * @param blockHash of the chain's block, if it was read
 */
export async function readEvmReceipt(
  node: ChainNode,
  hash: string,
  block: bigint,
  blockHash?: string,
): Promise<Reading<Receipt | null>> {
  const found = await findEvmReceipt(node, hash);
  if ("fault" in found || found.value === null) return found;
  if (found.value.block !== block)
    return nodeFault(`the receipt is from block ${found.value.block}, and the transaction from block ${block}`);
  const canonical = await readEvmBlockHash(node, block, blockHash);
  if ("fault" in canonical || canonical.value === found.value.blockHash)
    return "fault" in canonical ? canonical : found;
  return nodeFault(`the receipt is from a block ${block} that is not the chain's`);
}

/** Reads one block's receipts at once, or one by one if the node can't, which is only asked once. */
export function createReceiptReader(node: ChainNode) {
  let isAsked = true;
  return async (block: bigint, mined: readonly ChainTransaction[]): Promise<Reading<readonly Receipt[]>> => {
    if (isAsked) {
      const found = await readBlockReceipts(node, block, mined);
      if (!("fault" in found) || isNodeSilent(found.fault)) return found;
      isAsked = false;
    }
    const receipts: Receipt[] = [];
    for (const { hash, blockHash } of mined) {
      const found = await readEvmReceipt(node, hash, block, blockHash);
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
): Promise<Reading<readonly Receipt[]>> {
  const canonical = await readEvmBlockHash(node, block, mined[0]?.blockHash);
  if ("fault" in canonical) return canonical;
  const found = await readFromNode(node, "eth_getBlockReceipts", [quantityText(block)], (found) => {
    if (!Array.isArray(found)) return undefined;
    return new Map(found.map((item) => [(isJsonObject(item) ? hexHash(item.transactionHash) : undefined) ?? "", item]));
  });
  if ("fault" in found) return found;
  const receipts: Receipt[] = [];
  for (const { hash } of mined) {
    const receipt = parseReceipt(found.value.get(hash) ?? null);
    if (receipt?.block !== block || receipt.blockHash !== canonical.value) return missingReceipt(hash, block);
    receipts.push(receipt);
  }
  return { value: receipts };
}

function missingReceipt(hash: string, block: bigint) {
  return nodeFault(`block ${block} does not show the receipt of ${hash}; a reorganization may have replaced it`);
}

/** The state of an account: after the newest block, with the node's pool included, or after a block. */
export type StateTag = bigint | "latest" | "pending";

export async function readBalance(node: ChainNode, address: string, at: StateTag = "latest"): Promise<Reading<bigint>> {
  return await readFromNode(node, "eth_getBalance", [address, blockTagText(at)], parseQuantity);
}

export async function readEvmCode(node: ChainNode, address: string): Promise<Reading<string>> {
  return await readFromNode(node, "eth_getCode", [address, "latest"], hexBytes);
}

export async function readNonce(node: ChainNode, address: string, at: StateTag): Promise<Reading<bigint>> {
  return await readFromNode(node, "eth_getTransactionCount", [address, blockTagText(at)], (value: JsonValue) =>
    parseQuantity(value),
  );
}
