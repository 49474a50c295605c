import type { JsonObject, JsonValue } from "../../src/contract/json.ts";
import { type FakeNode, fakeNode, fault, NO_METHOD } from "./fake-node.ts";

export interface Mined {
  hash: string;
  from: string;
  to?: string | null;
  value?: bigint;
  data?: string;
  nonce: number;
  /** Absent while it waits in the pool. */
  block?: number;
  reverted?: boolean;
  /** The gas limit (default: 21000). */
  gas?: number;
  maxFee?: bigint;
  tip?: bigint;
  /** Wei per gas that was paid for 21,000 gas. */
  paid?: bigint;
}

export interface FakeChain {
  height: number;
  transactions: readonly Mined[];
  chainId?: number;
  /** Seconds between blocks; the newest one is `age` seconds old. */
  blockTime?: number;
  age?: number;
  /** Seconds by which the node's clock lags. */
  behind?: number;
  /** Blocks whose state is kept; all of them if absent. */
  state?: number;
  /** The newest final block (default: the newest block); null if the node has none. */
  final?: number | null;
  /** Whether the node has `eth_getTransactionBySenderAndNonce`. */
  indexed?: boolean;
  /** Whether the node has `eth_getBlockReceipts`. */
  blockReceipts?: boolean;
  /** What blocks cost, in wei per gas; a node without it has no fee history. */
  market?: { baseFee: bigint; tip: bigint };
  /** What every account has, in wei; a node without it reads no balance. */
  balance?: bigint;
}

/** The time of the tests: 2026-11-21T03:12:07Z. */
export const NOW = Date.parse("2026-11-21T03:12:07Z");

const hex = (amount: bigint | number) => `0x${amount.toString(16)}`;

const blockHash = (block: number) => `0x${block.toString(16).padStart(64, "b")}`;

/** Returns a node of a chain whose responses agree with each other. */
export function chainNode(chain: FakeChain): FakeNode {
  const { height, transactions, chainId = 1, state } = chain;
  const { byHash, byNonce, inBlock, blocksFrom } = indexTransactions(transactions);
  const methods: Record<string, (params: readonly JsonValue[]) => JsonValue | ReturnType<typeof fault>> = {
    eth_chainId: () => hex(chainId),
    eth_getTransactionByHash: ([hash]) => shown(byHash.get(String(hash))),
    eth_getTransactionReceipt: ([hash]) => receipt(byHash.get(String(hash))),
    eth_getBlockReceipts: ([at]) => (chain.blockReceipts ? inBlock(Number(at)).map(receipt) : NO_METHOD),
    eth_getTransactionCount: ([from, tag]) => {
      const blocks = blocksFrom.get(String(from)) ?? [];
      if (tag === "pending") return hex(blocks.length);
      const at = tag === "latest" ? height : Number(tag);
      if (state !== undefined && at <= height - state) return fault("failed", "missing state");
      return hex(countUpTo(at, blocks));
    },
    eth_getTransactionBySenderAndNonce: ([from, nonce]) =>
      chain.indexed ? shown(byNonce.get(`${from} ${Number(nonce)}`)) : NO_METHOD,
    eth_feeHistory: () => (chain.market ? history(chain.market) : NO_METHOD),
    eth_getBalance: () => (chain.balance === undefined ? NO_METHOD : hex(chain.balance)),
    eth_getBlockByNumber: ([tag, whole]) => {
      const { final = height } = chain;
      if (tag === "finalized" && final === null) return null;
      if (tag === "pending") return nextBlock(chain);
      const at = tag === "latest" ? height : tag === "finalized" ? Number(final) : Number(tag);
      if (at > height && tag !== "finalized") return null;
      const inside = inBlock(at);
      return {
        number: hex(at),
        hash: blockHash(at),
        timestamp: hex(timeOf(chain, at)),
        baseFeePerGas: hex(10_000_000_000n),
        transactions: whole ? inside.map(shown) : inside.map(({ hash }) => hash),
      };
    },
  };
  return fakeNode((method, params) => methods[method]?.(params) ?? (methods[method] ? null : NO_METHOD));
}

/** Finds the transactions of a chain that is long without passing through all of them. */
function indexTransactions(transactions: readonly Mined[]) {
  const byHash = new Map<string, Mined>();
  const byNonce = new Map<string, Mined>();
  const byBlock = new Map<number, Mined[]>();
  const blocksFrom = new Map<string, number[]>();
  for (const each of transactions) {
    const { hash, from, nonce, block = Number.POSITIVE_INFINITY } = each;
    const key = `${from} ${nonce}`;
    if (!byHash.has(hash)) byHash.set(hash, each);
    if (!byNonce.has(key)) byNonce.set(key, each);
    byBlock.set(block, [...(byBlock.get(block) ?? []), each]);
    const blocks = blocksFrom.get(from) ?? [];
    blocksFrom.set(from, blocks);
    blocks.push(block);
  }
  for (const blocks of blocksFrom.values()) blocks.sort((one, other) => (one < other ? -1 : Number(one > other)));
  return { byHash, byNonce, inBlock: (block: number) => byBlock.get(block) ?? [], blocksFrom };
}

/** Returns how many of some blocks in their order are not above a block. */
function countUpTo(most: number, blocks: readonly number[]): number {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((blocks[middle] as number) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nextBlock({ height, behind = 0 }: FakeChain): JsonObject {
  return { number: hex(height + 1), timestamp: hex(Math.floor(NOW / 1000) - behind), transactions: [] };
}

export function timeOf({ height, blockTime = 12, age = 3 }: FakeChain, at: number): number {
  return Math.floor(NOW / 1000) - age - (height - at) * blockTime;
}

function shown(found: Mined | undefined): JsonObject | null {
  if (!found) return null;
  const { hash, from, to = null, value = 0n, data = "0x", nonce, block, maxFee = 10n ** 10n, tip = 10n ** 9n } = found;
  const { gas = 21_000 } = found;
  return {
    hash,
    from,
    to,
    value: hex(value),
    input: data,
    nonce: hex(nonce),
    gas: hex(gas),
    maxFeePerGas: hex(maxFee),
    maxPriorityFeePerGas: hex(tip),
    blockNumber: block === undefined ? null : hex(block),
  };
}

function history({ baseFee, tip }: NonNullable<FakeChain["market"]>): JsonObject {
  const row = Array.from({ length: 4 }, () => hex(tip));
  return { baseFeePerGas: Array.from({ length: 5 }, () => hex(baseFee)), reward: [row, row, row, row] };
}

function receipt(found: Mined | undefined): JsonObject | null {
  if (found?.block === undefined) return null;
  const { hash, block, reverted, paid } = found;
  const cost = paid === undefined ? {} : { gasUsed: "0x5208", effectiveGasPrice: hex(paid) };
  return {
    transactionHash: hash,
    blockNumber: hex(block),
    blockHash: blockHash(block),
    status: reverted ? "0x0" : "0x1",
    ...cost,
  };
}
