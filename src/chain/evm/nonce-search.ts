import { type ChainNode, nodeFault, type Reading } from "../node/node.ts";
import { blockAt } from "./block-at.ts";
import { type Block, readNonce } from "./node-reads.ts";

export interface Slot {
  from: string;
  nonce: bigint;
  /** Milliseconds since 1970 before which no transaction with the nonce was broadcast: `sent_at`. */
  since: number | undefined;
}

interface Known {
  head: Block;
  /** The account's nonce after the newest block. */
  count: bigint;
  now: number;
}

/**
 * Returns the blocks that can contain the transaction with a used nonce: one block, by the account's nonce at earlier
 * blocks, or on a node without old state (about 128 blocks back), all blocks since it was sent (facts 15.6).
 */
export async function blocksWithUse(node: ChainNode, slot: Slot, known: Known) {
  const { head, count } = known;
  const isBefore = async (at: bigint): Promise<Reading<boolean>> => {
    const nonce = await readNonce(node, slot.from, at);
    if ("fault" in nonce) return nonce;
    if (nonce.value > count) return nodeFault("the node's nonces contradict each other");
    return { value: nonce.value <= slot.nonce };
  };
  const { before, after, fault } = await lastBefore(isBefore, head.number);
  if (!fault) return before === undefined ? NOT_SHOWN : { value: { first: after, last: after } };
  if (fault.kind !== "failed") return { fault };
  if (before !== undefined) return { value: { first: before + 1n, last: after } };
  const first = await blockAt(node, slot.since, { after, now: known.now });
  return "fault" in first ? first : { value: { first: first.value, last: after } };
}

const NOT_SHOWN = nodeFault("the account's nonce was used before the first block");

/** Steps back from the newest block, each four times the last, then halves. A fault ends it with the bounds so far. */
async function lastBefore(isBefore: (at: bigint) => Promise<Reading<boolean>>, head: bigint) {
  let after = head;
  let before: bigint | undefined;
  for (let step = 1n; before === undefined ? after > 0n : after - before > 1n; step *= 4n) {
    const back = head > step ? head - step : 0n;
    const at = before === undefined ? back : (after + before) / 2n;
    const found = await isBefore(at);
    if ("fault" in found) return { before, after, fault: found.fault };
    if (found.value) before = at;
    else after = at;
  }
  return { before, after };
}
