import { readBalance, readEvmBlock } from "../evm/read-evm.ts";
import type { ChainNode } from "../node/node.ts";
import type { BalanceSample } from "./runway.ts";

export interface PastBalances {
  address: string;
  /** Average milliseconds between blocks, for finding blocks; their real times are read. */
  blockTime: number;
  now: number;
}

const DAY = 24 * 3_600_000;
/** The blocks whose state every node has: few are archives. */
const PRUNED_DEPTH = 120n;

/** Reads balances a day and half a day old, or minutes old on a pruned node, oldest first. Sends at most six calls. */
export async function readPastBalances(node: ChainNode, account: PastBalances): Promise<BalanceSample[]> {
  const newest = await readEvmBlock(node, "latest", account.now);
  if ("fault" in newest) return [];
  const { number: height, time } = newest.value;
  const day = BigInt(Math.round(DAY / Math.max(1, account.blockTime)));
  const old = await sampleAt(node, height - (day < height ? day : height), account);
  if (!old) {
    const recent = height > PRUNED_DEPTH ? await sampleAt(node, height - PRUNED_DEPTH, account) : undefined;
    return recent ? [recent.sample] : [];
  }
  const middle = (old.block + height) / 2n;
  const balance = await readBalance(node, account.address, middle);
  const between = "fault" in balance ? [] : [{ time: (old.sample.time + time) / 2, balance: balance.value }];
  return [old.sample, ...between].filter(({ time }) => time < account.now);
}

async function sampleAt(node: ChainNode, block: bigint, account: PastBalances) {
  const balance = await readBalance(node, account.address, block);
  if ("fault" in balance) return undefined;
  const header = await readEvmBlock(node, block, account.now);
  if ("fault" in header) return undefined;
  return { block, sample: { time: header.value.time, balance: balance.value } };
}
