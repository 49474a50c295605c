import { accountOf, blockFrom, type Chain, type ChainRules, type ChainTransaction, isRival, timeOf } from "./chain.ts";
import { waitFor } from "./market.ts";

/** Returns the block that will contain a transaction; undefined while it waits for a nonce or a base fee. */
export function blockOfNext(
  chain: Chain,
  { blockTime, market }: ChainRules,
  { from, nonce, fee, tip, at, isChosen }: ChainTransaction,
): number | undefined {
  const account = accountOf(chain, from);
  if (account.nonce !== nonce) return undefined;
  const then = market.at(at);
  const room = fee - then.baseFee;
  const wait = isChosen ? 0 : waitFor(then, tip < room ? tip : room);
  const earliest = Math.max(blockFrom(at + wait, blockTime), account.block);
  const time = market.whenAtMost(fee, timeOf(earliest, blockTime));
  return time === undefined ? undefined : blockFrom(time, blockTime);
}

export function nextMined(
  chain: Chain,
  rules: ChainRules,
): { transaction: ChainTransaction; block: number } | undefined {
  const coming = chain.waiting.flatMap((transaction) => {
    const block = blockOfNext(chain, rules, transaction);
    return block === undefined ? [] : [{ transaction, block }];
  });
  return coming.sort((one, other) => one.block - other.block || rank(one.transaction) - rank(other.transaction))[0];
}

/** Ranks transactions with the same nonce in one block: the chosen one is mined. */
function rank({ isChosen }: ChainTransaction): number {
  return isChosen ? 0 : 1;
}

/** Mines a waiting transaction; those with the same nonce are dropped. */
export function mine(chain: Chain, transaction: ChainTransaction, block: number): Chain {
  const { from, nonce } = transaction;
  return {
    ...chain,
    accounts: new Map(chain.accounts).set(from, { nonce: nonce + 1, block }),
    waiting: chain.waiting.filter((each) => !isRival(each, transaction)),
    mined: [...chain.mined, { ...transaction, block }],
    dropped: [...chain.dropped, ...chain.waiting.filter((each) => each !== transaction && isRival(each, transaction))],
  };
}

/** Replaces all blocks from this one on: their transactions wait again, as nodes put them back. */
export function reorganize(chain: Chain, block: number, now: number): Chain {
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
