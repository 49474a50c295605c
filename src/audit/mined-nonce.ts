import {
  type ChainTransaction,
  createReceiptReader,
  feeIn,
  findEvmReceipt,
  type Receipt,
  readSenderBlock,
} from "../chain/evm/read-evm.ts";
import { type ChainNode, type NodeFault, nodeFault } from "../chain/node/node.ts";

/** An account's transaction, with its cost and its block's time. Amounts are in the smallest unit. */
export interface MinedTransaction {
  /** On Stellar the sequence number; null without one of this account. */
  nonce: bigint | null;
  hash: string;
  from: string;
  /** Null for a contract creation, and without a single receiver. */
  to: string | null;
  value: bigint;
  /** In any form that is equal for equal calls. */
  data: string;
  block: bigint;
  /** Milliseconds since 1970. */
  time: number;
  fee: bigint;
  reverted: boolean;
}

export interface MinedNonce extends MinedTransaction {
  nonce: bigint;
  blockHash: string;
}

export function weiSent({ from, to, value, reverted }: Pick<MinedNonce, "from" | "to" | "value" | "reverted">): bigint {
  return reverted || to === from ? 0n : value;
}

/** Returns the numbers from the first one up to but not including the end. */
export function noncesBetween(first: bigint, end: bigint): bigint[] {
  return Array.from({ length: Number(end - first) }, (_, at) => first + BigInt(at));
}

export type BlockReader = ReturnType<typeof createMinedNonceReader>;

export function createMinedNonceReader(node: ChainNode, account: string) {
  const readReceipts = createReceiptReader(node);
  const rows = new Map<bigint, MinedNonce>();
  const receipts = new Map<string, Receipt>();
  const begun = new Map<bigint, Promise<NodeFault | undefined>>();
  const readRows = async (own: readonly ChainTransaction[], block: BlockOfRows): Promise<NodeFault | undefined> => {
    const open = own.filter(({ hash }) => receipts.get(hash)?.blockHash !== block.blockHash);
    const shown = open.length === 0 ? { value: [] } : await readReceipts(block.at, open);
    if ("fault" in shown) return shown.fault;
    for (const receipt of shown.value) receipts.set(receipt.hash, receipt);
    for (const transaction of own) {
      const row = buildRow(transaction, receipts.get(transaction.hash), block);
      if ("fault" in row) return row.fault;
      rows.set(row.nonce, row);
    }
    return undefined;
  };
  const read = async (at: bigint): Promise<NodeFault | undefined> => {
    const found = await readSenderBlock(node, at, account);
    if ("fault" in found) return found.fault;
    const { own, hash: blockHash, time } = found.value;
    if (own.length === 0) return undefined;
    if (blockHash === undefined) return nodeFault(`block ${at} does not show its hash`).fault;
    return await readRows(own, { at, blockHash, time });
  };
  const readAt = async (at: bigint) => {
    const reading = begun.get(at) ?? read(at);
    begun.set(at, reading);
    return await reading;
  };
  return {
    /** The transactions that have been read, by nonce. */
    rows,
    /** Reads the account's transactions in a block, once. */
    readAt,
    async readAll(first: bigint, last: bigint) {
      return (await Promise.all(noncesBetween(first, last + 1n).map(readAt))).find((fault) => fault !== undefined);
    },
    async readByHash(hashes: readonly string[]) {
      for (const hash of hashes) {
        const found = await findEvmReceipt(node, hash);
        if ("fault" in found || found.value === null) continue;
        receipts.set(found.value.hash, found.value);
        await readAt(found.value.block);
        return;
      }
    },
    clear() {
      for (const each of [rows, receipts, begun]) each.clear();
    },
  };
}

interface BlockOfRows {
  at: bigint;
  blockHash: string;
  time: number;
}

function buildRow(
  { hash, nonce, from, to, value, data }: ChainTransaction,
  receipt: Receipt | undefined,
  { at: block, blockHash, time }: BlockOfRows,
): MinedNonce | { fault: NodeFault } {
  const fee = receipt && feeIn(receipt);
  if (!receipt || fee === undefined) return nodeFault(`the receipt of ${hash} does not show what its gas cost`);
  const reverted = receipt.reverted === true;
  return { nonce, hash, from, to, value, data, block, blockHash, time, fee, reverted };
}
