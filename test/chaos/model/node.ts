import type { Block, Chain, Mined, Signed } from "./chain.ts";

export interface NodeOptions {
  /** Wei that an account has. */
  balance?: () => bigint;
  /** Blocks whose state is kept (facts 15.6: about 128). */
  state: number;
  /** Whether it has `eth_getTransactionBySenderAndNonce` (facts 16.7). */
  isIndexed: boolean;
}

/** The response of a node: a result, or an error with its own code. */
type NodeResponse = { result: unknown } | { code: number };

/** Takes a request of JSON-RPC's, in Ethereum's words. */
export type Node = (method: string, params: readonly unknown[]) => NodeResponse;

const NO_METHOD = { code: -32_601 };
const MISSING_STATE = { code: -32_000 };
const INVALID = { code: -32_602 };

export const hex = (amount: bigint | number) => `0x${amount.toString(16)}`;

/** The part of the tip that each percentile pays: everyone pays nearly the same. */
const SHARES: Readonly<Record<number, bigint>> = { 30: 80n, 50: 100n, 85: 120n, 99: 150n };

/** What the percentile of a speed paid in each of the last blocks (facts 5.3). */
export function rewardOf(chain: Chain, percentile: number): bigint {
  return (chain.tip * (SHARES[percentile] ?? 100n)) / 100n;
}

export function createNode(chain: Chain, { state, isIndexed, balance = () => 10n ** 20n }: NodeOptions): Node {
  /** The number of a block by its tag; undefined for a block that is not there. */
  function numberOf(tag: unknown): number | undefined {
    const { number } = chain.head;
    if (tag === "latest" || tag === "pending") return number;
    if (tag === "finalized" || tag === "safe") return Math.max(0, number - 2);
    const at = Number(tag);
    return Number.isInteger(at) && at <= number ? at : undefined;
  }

  function count(from: string, tag: unknown): NodeResponse {
    const at = numberOf(tag);
    if (at === undefined) return INVALID;
    if (at <= chain.head.number - state) return MISSING_STATE;
    let nonce = chain.nonceAt(from, at);
    while (tag === "pending" && chain.waiting(from, nonce)) nonce++;
    return { result: hex(nonce) };
  }

  function block(tag: unknown, isWhole: boolean): NodeResponse {
    const at = numberOf(tag);
    if (at === undefined) return { result: null };
    const found = chain.blocks[at - (chain.blocks[0]?.number ?? 0)] ?? emptyBlock(chain, at);
    return { result: shownBlock(found, isWhole) };
  }

  function bySlot(from: string, nonce: number): unknown {
    const mined = chain.minedBy(from, nonce);
    const waiting = chain.waiting(from, nonce);
    return mined ? shownMined(mined) : waiting ? shown(waiting) : null;
  }

  function byHash(hash: string): unknown {
    const mined = chain.mined(hash);
    if (mined) return shownMined(mined);
    const known = chain.received.get(hash);
    return known && chain.waiting(known.from, known.nonce)?.hash === hash ? shown(known) : null;
  }

  function feeHistory(percentiles: unknown): unknown {
    const row = (Array.isArray(percentiles) ? percentiles : []).map((each) => hex(rewardOf(chain, Number(each))));
    const { number, baseFee } = chain.head;
    return { oldestBlock: hex(number - 3), baseFeePerGas: Array(5).fill(hex(baseFee)), reward: Array(4).fill(row) };
  }

  const methods: Record<string, (params: readonly unknown[]) => NodeResponse> = {
    eth_chainId: () => ({ result: hex(chain.chainId) }),
    eth_blockNumber: () => ({ result: hex(chain.head.number) }),
    eth_getTransactionByHash: ([hash]) => ({ result: byHash(String(hash)) }),
    eth_getTransactionReceipt: ([hash]) => ({ result: receipt(chain.mined(String(hash))) }),
    eth_getTransactionCount: ([from, tag]) => count(String(from), tag),
    eth_getBlockByNumber: ([tag, isWhole]) => block(tag, isWhole === true),
    eth_feeHistory: ([, , percentiles]) => ({ result: feeHistory(percentiles) }),
    eth_gasPrice: () => ({ result: hex(chain.head.baseFee + chain.tip) }),
    eth_estimateGas: () => ({ result: hex(21_000) }),
    eth_getBalance: () => ({ result: hex(balance()) }),
    eth_getCode: () => ({ result: "0x" }),
    ...(isIndexed && {
      eth_getTransactionBySenderAndNonce: ([from, nonce]) => ({ result: bySlot(String(from), Number(nonce)) }),
    }),
  };
  return (method, params) => methods[method]?.(params) ?? NO_METHOD;
}

function emptyBlock({ height, time, blockTime, baseFee }: Chain, number: number): Block {
  return {
    number,
    round: 0,
    time: Math.floor(time - ((height - number) * blockTime) / 1000),
    baseFee,
    transactions: [],
  };
}

function blockHash(number: number, round: number): string {
  return `0x${(number * 1_000 + round).toString(16).padStart(64, "b")}`;
}

function shownBlock({ number, round, time, baseFee, transactions }: Block, isWhole: boolean): unknown {
  const inside = transactions.map((mined) => (isWhole ? shownMined(mined) : mined.transaction.hash));
  return {
    number: hex(number),
    hash: blockHash(number, round),
    timestamp: hex(time),
    baseFeePerGas: hex(baseFee),
    transactions: inside,
  };
}

function shown({ hash, from, nonce, to, value, data, gas, maxFee, tip }: Signed, block?: number): unknown {
  return {
    hash,
    from,
    nonce: hex(nonce),
    to,
    value: hex(value),
    input: data,
    gas: hex(gas),
    type: "0x2",
    maxFeePerGas: hex(maxFee),
    maxPriorityFeePerGas: hex(tip),
    gasPrice: hex(maxFee),
    blockNumber: block === undefined ? null : hex(block),
  };
}

function shownMined({ transaction, block }: Mined): unknown {
  return shown(transaction, block);
}

function receipt(mined: Mined | undefined): unknown {
  if (!mined) return null;
  const { transaction, block, round, reverted } = mined;
  return {
    transactionHash: transaction.hash,
    blockNumber: hex(block),
    blockHash: blockHash(block, round),
    status: reverted ? "0x0" : "0x1",
    gasUsed: hex(21_000),
    effectiveGasPrice: hex(transaction.maxFee),
  };
}
