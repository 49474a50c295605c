import { leastReplacementPrice } from "../../contract/transaction/replacement-price.ts";
import { marketWait } from "./market.ts";
import {
  type ChainRules,
  isSimRival,
  type SimChain,
  type SimTransaction,
  simAccount,
  simChainBlockFrom,
  simChainTime,
} from "./sim-chain.ts";

/** A node's response to a transaction, and the chain afterwards. */
export interface BroadcastReply {
  chain: SimChain;
  refusal?: "nonce too low" | "insufficient funds" | "fee below the base fee" | "replacement transaction underpriced";
}

/** Milliseconds before a block in which its content is fixed. */
const BUILDING = 500;

export function addToPool(chain: SimChain, rules: ChainRules, sent: SimTransaction, balance: bigint): BroadcastReply {
  if (sent.nonce < simAccount(chain, sent.from).nonce) return { chain, refusal: "nonce too low" };
  const earlier = chain.waiting.filter((each) => each.from === sent.from && !isSimRival(each, sent));
  const reserved = earlier.reduce((sum, each) => sum + mostCost(each), 0n);
  if (reserved + mostCost(sent) > balance) return { chain, refusal: "insufficient funds" };
  if (sent.fee < rules.market.at(sent.at).baseFee) return { chain, refusal: "fee below the base fee" };
  const rivals = chain.waiting.filter((each) => isSimRival(each, sent));
  if (
    rivals.some((rival) => sent.fee < leastReplacementPrice(rival.fee) || sent.tip < leastReplacementPrice(rival.tip))
  ) {
    return { chain, refusal: "replacement transaction underpriced" };
  }
  const kept = rivals.filter((rival) => isBeingMined(chain, rules, rival, sent.at));
  const others = chain.waiting.filter((each) => !isSimRival(each, sent));
  return {
    chain: {
      ...chain,
      waiting: [...others, ...kept.map((rival) => ({ ...rival, isChosen: true })), sent],
      dropped: [...chain.dropped, ...rivals.filter((rival) => !kept.includes(rival))],
    },
  };
}

function mostCost({ value, gas, fee }: SimTransaction): bigint {
  return value + gas * fee;
}

function isBeingMined(chain: SimChain, rules: ChainRules, transaction: SimTransaction, now: number): boolean {
  if (transaction.isChosen) return true;
  const block = blockOfNext(chain, rules, transaction);
  return block !== undefined && simChainTime(block, rules.blockTime) - now <= BUILDING;
}

/** Puts a waiting transaction into the next block, and returns its time; undefined if it cannot be mined yet. */
export function chooseForMining(chain: SimChain, { blockTime }: ChainRules, hash: string, now: number) {
  const found = chain.waiting.find((each) => each.hash === hash);
  if (!found || simAccount(chain, found.from).nonce !== found.nonce) return undefined;
  const chosen = { ...found, at: now + 1, isChosen: true };
  return {
    chain: { ...chain, waiting: chain.waiting.map((each) => (each === found ? chosen : each)) },
    time: simChainTime(simChainBlockFrom(now + 1, blockTime), blockTime),
  };
}

/** Returns the block that will contain a transaction; undefined while it waits for a nonce or a base fee. */
function blockOfNext(
  chain: SimChain,
  { blockTime, market }: ChainRules,
  { from, nonce, fee, tip, at, isChosen }: SimTransaction,
): number | undefined {
  const account = simAccount(chain, from);
  if (account.nonce !== nonce) return undefined;
  const then = market.at(at);
  const room = fee - then.baseFee;
  const wait = isChosen ? 0 : marketWait(then, tip < room ? tip : room);
  const earliest = Math.max(simChainBlockFrom(at + wait, blockTime), account.block);
  const time = market.whenAtMost(fee, simChainTime(earliest, blockTime));
  return time === undefined ? undefined : simChainBlockFrom(time, blockTime);
}

export function nextForMining(chain: SimChain, rules: ChainRules) {
  const coming = chain.waiting.flatMap((transaction) => {
    const block = blockOfNext(chain, rules, transaction);
    return block === undefined ? [] : [{ transaction, block }];
  });
  return coming.sort(
    (one, other) => one.block - other.block || rankForMining(one.transaction) - rankForMining(other.transaction),
  )[0];
}

/** Ranks transactions with the same nonce in one block: the fixed one is mined. */
function rankForMining({ isChosen }: SimTransaction): number {
  return isChosen ? 0 : 1;
}

export function mineBlocks(chain: SimChain, transaction: SimTransaction, block: number): SimChain {
  const { from, nonce } = transaction;
  return {
    ...chain,
    accounts: new Map(chain.accounts).set(from, { nonce: nonce + 1, block }),
    waiting: chain.waiting.filter((each) => !isSimRival(each, transaction)),
    mined: [...chain.mined, { ...transaction, block }],
    dropped: [
      ...chain.dropped,
      ...chain.waiting.filter((each) => each !== transaction && isSimRival(each, transaction)),
    ],
  };
}

export function reorganizeMined(chain: SimChain, block: number, now: number): SimChain {
  const undone = chain.mined.filter((each) => each.block >= block);
  const accounts = new Map(chain.accounts);
  for (const { from, nonce } of undone.toReversed()) accounts.set(from, { nonce, block: block - 1 });
  return {
    ...chain,
    accounts,
    waiting: [...chain.waiting, ...undone.map(({ block: _, ...each }) => ({ ...each, at: now, isChosen: false }))],
    mined: chain.mined.filter((each) => each.block < block),
    forks: [...(chain.forks ?? []), block],
  };
}
