import { boundedNode, type ChainNode, nodeFault, type Reading } from "../node/node.ts";
import { blockAt } from "./block-at.ts";
import {
  type Block,
  type ChainTransaction,
  readEvmBlock,
  readEvmBlockOfSender,
  readEvmBySenderAndNonce,
  readNonce,
} from "./read-evm.ts";

export type NonceUse =
  | { state: "unused" }
  | { state: "used"; by: ChainTransaction }
  /** The node doesn't show which transaction used it. */
  | { state: "used"; by: undefined; why: string };

/** The most calls of the search, and the most blocks that are read one by one. */
const MOST_CALLS = 40;
const MOST_BLOCKS = 512n;

/**
 * Returns who used a nonce (facts 15.6, 16.7): from the node's index, or else by the account's nonce at earlier blocks,
 * or on a node without old state, block by block from the time of sending.
 */
export async function readNonceUse(node: ChainNode, slot: Slot, now: number): Promise<Reading<NonceUse>> {
  const search = boundedNode(node, { calls: MOST_CALLS });
  const next = await readNonce(search, slot.from, "latest");
  if ("fault" in next) return next;
  if (next.value <= slot.nonce) return { value: { state: "unused" } };
  const indexed = await readEvmBySenderAndNonce(search, slot.from, slot.nonce);
  // A node may still show its pool's transaction for a used nonce.
  if (!("fault" in indexed) && indexed.value?.block !== undefined) return used(indexed.value);
  const head = await readEvmBlock(search, "latest", now);
  if ("fault" in head) return unknown(head.fault.words);
  const blocks = await blocksWithUse(search, slot, { head: head.value, now, count: next.value });
  if ("fault" in blocks) return unknown(blocks.fault.words);
  return await findIn(node, slot, blocks.value);
}

/** Returns whether the node's pool holds an unused nonce's transaction; after a gap it may not show it: a fault. */
export async function readNonceQueued(node: ChainNode, { from, nonce }: Slot): Promise<Reading<boolean>> {
  const pending = await readNonce(node, from, "pending");
  if ("fault" in pending) return pending;
  if (pending.value > nonce) return { value: true };
  if (pending.value === nonce) return { value: false };
  const indexed = await readEvmBySenderAndNonce(node, from, nonce);
  if ("value" in indexed && indexed.value !== null) return { value: true };
  return nodeFault("the node does not show what waits after a gap of nonces");
}

async function findIn(node: ChainNode, slot: Slot, blocks: { first: bigint; last: bigint }) {
  const scan = boundedNode(node, { calls: Number(MOST_BLOCKS) });
  for (let at = blocks.first; at <= blocks.last; at++) {
    const found = await readEvmBlockOfSender(scan, at, slot.from);
    if ("fault" in found) return unknown(found.fault.words);
    const by = found.value.find(({ nonce }) => nonce === slot.nonce);
    if (by) return used(by);
  }
  return unknown("the node's blocks do not show the transaction");
}

function used(by: ChainTransaction): Reading<NonceUse> {
  return { value: { state: "used", by } };
}

function unknown(why: string): Reading<NonceUse> {
  return { value: { state: "used", by: undefined, why } };
}

interface Slot {
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
async function blocksWithUse(node: ChainNode, slot: Slot, known: Known) {
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
