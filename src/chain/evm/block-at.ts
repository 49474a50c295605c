import { type ChainNode, NO_OLD_STATE, nodeFault, type Reading } from "../node/node.ts";
import { readEvmBlock } from "./read-evm.ts";

/** Milliseconds by which the service's clock may be ahead of the chain's. */
export const MARGIN = 60_000;

interface DatedBlock {
  number: bigint;
  /** Milliseconds since 1970. */
  time: number;
}

/** How many blocks before the newest the first one is read. */
const FIRST_STEP = 64n;
/** One of so many reads halves the rest, since blocks may follow each other unevenly. */
const HALVED = 3;

/** Returns the last block before a time, or an earlier one. @param since NaN if unknown @param after a block that is surely later */
export async function blockAt(
  node: ChainNode,
  since: number | undefined,
  { after, now }: { after: bigint; now: number },
): Promise<Reading<bigint>> {
  if (since === undefined || Number.isNaN(since)) return nodeFault(NO_OLD_STATE);
  const time = since - MARGIN;
  const newest = { number: after, time: now };
  let high = newest;
  while (high.number > 0n) {
    const found = await readEvmBlock(node, stepBack(newest, high, time), now);
    if ("fault" in found) return found;
    if (found.value.time <= time) return { value: await lastBefore(node, time, { low: found.value, high, now }) };
    high = found.value;
  }
  return { value: 0n };
}

/** Returns the last block until a time, or the last that is known once the node no longer responds. */
async function lastBefore(node: ChainNode, time: number, known: { low: DatedBlock; high: DatedBlock; now: number }) {
  let { low, high } = known;
  for (let reads = 1; high.number - low.number > 1n; reads++) {
    const share = reads % HALVED === 0 ? 0.5 : shareAt(low, high, time);
    const found = await readEvmBlock(node, guessBetween(low, high, share), known.now);
    if ("fault" in found) break;
    if (found.value.time <= time) low = found.value;
    else high = found.value;
  }
  return low.number;
}

/** Goes a little further back than evenly dated blocks need, and four times as far as before at least. */
function stepBack(newest: DatedBlock, high: DatedBlock, time: number): bigint {
  const done = newest.number - high.number;
  const even = Math.ceil(Number(done) * shareAt(newest, high, time) * 1.05);
  const steps = [FIRST_STEP, done * 4n, BigInt(even)];
  const step = steps.reduce((one, other) => (one > other ? one : other));
  return newest.number > step ? newest.number - step : 0n;
}

/** Returns how far a time is from one block to another: 0 at the first, 1 at the second, 0.5 if both have one time. */
function shareAt(first: DatedBlock, second: DatedBlock, time: number): number {
  return first.time === second.time ? 0.5 : (time - first.time) / (second.time - first.time);
}

function guessBetween(low: DatedBlock, high: DatedBlock, share: number): bigint {
  const at = low.number + BigInt(Math.floor(Number(high.number - low.number) * share));
  if (at <= low.number) return low.number + 1n;
  return at < high.number ? at : high.number - 1n;
}
