import type { NetworkFacts } from "../network.ts";
import { explainLateNode } from "../node/late-node.ts";
import { boundedNode, type ChainNode, nodeFault, type Reading } from "../node/node.ts";
import { blockAt } from "./block-at.ts";
import {
  type Block,
  type ChainTransaction,
  readEvmBlock,
  readEvmBlocksOfSender,
  readEvmBySenderAndNonce,
  readNonce,
  readSenderBlock,
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
  if (!("fault" in indexed) && indexed.value?.block !== undefined) return usedBy(indexed.value);
  const head = await readEvmBlock(search, "latest", now);
  if ("fault" in head) return unknownUse(head.fault.words);
  const blocks = await blocksWithUse(search, slot, { head: head.value, now, count: next.value });
  if ("fault" in blocks) return unknownUse(blocks.fault.words);
  return await searchBlocks(node, slot, blocks.value);
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

async function searchBlocks(node: ChainNode, slot: Slot, blocks: { first: bigint; last: bigint }) {
  const scan = boundedNode(node, { calls: Number(MOST_BLOCKS) });
  for (let at = blocks.first; at <= blocks.last; at++) {
    const found = await readSenderBlock(scan, at, slot.from);
    if ("fault" in found) return unknownUse(found.fault.words);
    const by = found.value.own.find(({ nonce }) => nonce === slot.nonce);
    if (by) return usedBy(by);
  }
  return unknownUse("the node's blocks do not show the transaction");
}

function usedBy(by: ChainTransaction): Reading<NonceUse> {
  return { value: { state: "used", by } };
}

function unknownUse(why: string): Reading<NonceUse> {
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
  const { before, after, fault } = await findLastBefore(isBefore, head.number);
  if (!fault) return before === undefined ? NOT_SHOWN : { value: { first: after, last: after } };
  if (fault.kind !== "failed") return { fault };
  if (before !== undefined) return { value: { first: before + 1n, last: after } };
  const first = await blockAt(node, slot.since, { after, now: known.now });
  return "fault" in first ? first : { value: { first: first.value, last: after } };
}

const NOT_SHOWN = nodeFault("the account's nonce was used before the first block");

/** Steps back from the newest block, each four times the last, then halves. A fault ends it with the bounds so far. */
async function findLastBefore(isBefore: (at: bigint) => Promise<Reading<boolean>>, head: bigint) {
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

export interface Uses {
  /** One for each nonce. */
  mined: readonly ChainTransaction[];
  head: Block;
  /** Why later uses may be missing: the node lags. */
  delay: string | undefined;
  /** The account's used nonces, without and with the node's pool. */
  count: bigint;
  pending: bigint;
}

export interface UsesAsked {
  network: Pick<NetworkFacts, "chainId" | "blockTime">;
  since: number;
  now: number;
  /** The most requests (default: 1,024). */
  calls?: number | undefined;
  /** Returns the milliseconds that are left (default: only the requests are limited). */
  remaining?: () => number;
}

const MOST_USE_CALLS = 1_024;

/**
 * Returns every transaction of an account since a time, proven by the account's nonces: at earlier blocks, by which the
 * blocks with transactions are found, or on a node without old state by reading all blocks, or by the node's index
 * (facts 15.6, 16.7).
 */
export async function readUsesSince(
  asked: ChainNode,
  from: string,
  { network, since, now, calls = MOST_USE_CALLS, remaining }: UsesAsked,
): Promise<Reading<Uses>> {
  const node = boundedNode(asked, { calls, remaining });
  const head = await readEvmBlock(node, "latest", now);
  if ("fault" in head) return head;
  const last = head.value.number;
  const count = await readNonce(node, from, last);
  if ("fault" in count) return count;
  const pending = await readNonce(node, from, "pending");
  if ("fault" in pending) return pending;
  const delay = explainLateNode(head.value, network, now);
  const account = { head: head.value, count: count.value, pending: pending.value, delay };
  const first = await blockAt(node, since, { after: last, now });
  if ("fault" in first) return first;
  const before = first.value === 0n ? { value: 0n } : await readNonce(node, from, first.value);
  if ("fault" in before && (before.fault.kind !== "failed" || last - first.value > MOST_BLOCKS)) {
    const indexed = await readIndexed(node, from, { after: first.value, count: count.value });
    if ("fault" in indexed) return before;
    return { value: { mined: indexed.value, ...account } };
  }
  const mined: ChainTransaction[] = [];
  const collect = async (low: At, high: At<bigint>): Promise<Reading<true>> => {
    if (low.count !== undefined && low.count > high.count) return nodeFault("the node's nonces contradict each other");
    if (low.count === high.count || low.block === high.block) return { value: true };
    // With two nonces in three blocks or more, reading all blocks takes fewer requests than a search.
    if (
      low.count === undefined ||
      high.block - low.block === 1n ||
      2n * (high.block - low.block) <= 3n * (high.count - low.count)
    )
      return await readBlocks(low, high);
    const block = (low.block + high.block) / 2n;
    const nonce = await readNonce(node, from, block);
    if ("fault" in nonce) return nonce;
    const earlier = await collect(low, { block, count: nonce.value });
    return "fault" in earlier ? earlier : await collect({ block, count: nonce.value }, high);
  };
  const readBlocks = async (low: At, high: At<bigint>): Promise<Reading<true>> => {
    const found = await readEvmBlocksOfSender(node, from, { after: low.block, last: high.block });
    if ("fault" in found) return found;
    mined.push(...found.value);
    return { value: true };
  };
  const low = { block: first.value, count: "fault" in before ? undefined : before.value };
  const collected = await collect(low, { block: last, count: count.value });
  if ("fault" in collected) return collected;
  const lowest = low.count ?? count.value - BigInt(mined.length);
  const isWhole = lowest + BigInt(mined.length) === count.value && areConsecutive(mined, lowest);
  if (!isWhole) return nodeFault("the node's blocks do not show all transactions of the account");
  return { value: { mined, ...account } };
}

export function areConsecutive(mined: readonly ChainTransaction[], first = mined[0]?.nonce ?? 0n): boolean {
  return mined.every(({ nonce }, at) => nonce === first + BigInt(at));
}

/** Reads the transactions after a block from the node's index, which few nodes have, newest first. */
async function readIndexed(node: ChainNode, from: string, { after, count }: { after: bigint; count: bigint }) {
  const mined: ChainTransaction[] = [];
  for (let nonce = count - 1n; nonce >= 0n; nonce--) {
    const found = await readEvmBySenderAndNonce(node, from, nonce);
    if ("fault" in found) return found;
    if (found.value?.block === undefined) return nodeFault(`the node does not show the transaction of nonce ${nonce}`);
    if (found.value.block <= after) break;
    mined.push(found.value);
  }
  return { value: mined.reverse() };
}

/** An account's nonce after a block; undefined if the node no longer has that state. */
interface At<T = bigint | undefined> {
  block: bigint;
  count: T;
}
