import { type Block, readBlock } from "../evm/block.ts";
import type { Chain } from "../open-chain.ts";
import type { Surroundings } from "./surroundings.ts";

/** How many blocks the found one may be away from the time, and how often the search is corrected. */
const CLOSE = 5;
const MOST_TRIES = 2;

/**
 * Returns the base fee at a time, in wei per gas: that of a block close to it, found by the average time between
 * blocks. Undefined if no node can be asked, or if its blocks are too irregular.
 * @param time milliseconds since 1970
 * @param now the same
 */
export async function baseFeeAt(
  { chain, head }: Pick<Surroundings, "chain" | "head">,
  time: number,
  now: number,
): Promise<bigint | undefined> {
  if (!head || !Number.isFinite(time)) return undefined;
  const found = await blockNear(chain, head, { time, now });
  return found?.baseFee;
}

async function blockNear(
  { node, network: { blockTime } }: Chain,
  head: Block,
  { time, now }: { time: number; now: number },
): Promise<Block | undefined> {
  let pace = Math.max(blockTime, 1);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const back = BigInt(Math.max(0, Math.round((head.time - time) / pace)));
    const at = back > head.number ? 0n : head.number - back;
    const found = at === head.number ? { value: head } : await readBlock(node, at, now);
    if ("fault" in found) return undefined;
    const block = found.value;
    if (Math.abs(block.time - time) <= CLOSE * Math.max(pace, 1000)) return block;
    if (block.number === head.number) return undefined;
    pace = Math.max((head.time - block.time) / Number(head.number - block.number), 1);
  }
  return undefined;
}
