import type { NetworkFacts } from "../network.ts";
import { explainLateNode } from "../node/late-node.ts";
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
}

/** The most calls, and the most blocks that are read one by one on a node without old state. */
const MOST_CALLS = 1_024;
const MOST_BLOCKS = 512n;

/**
 * Returns every transaction of an account since a time, proven by the account's nonces: at earlier blocks, by which the
 * blocks with transactions are found, or on a node without old state by reading all blocks, or by the node's index
 * (facts 15.6, 16.7).
 */
export async function readUsesSince(
  asked: ChainNode,
  from: string,
  { network, since, now, calls = MOST_CALLS }: UsesAsked,
): Promise<Reading<Uses>> {
  const node = boundedNode(asked, { calls });
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
    for (let at = low.block + 1n; at <= high.block; at++) {
      const found = await readEvmBlockOfSender(node, at, from);
      if ("fault" in found) return found;
      mined.push(...found.value);
    }
    return { value: true };
  };
  const low = { block: first.value, count: "fault" in before ? undefined : before.value };
  const collected = await collect(low, { block: last, count: count.value });
  if ("fault" in collected) return collected;
  const lowest = low.count ?? count.value - BigInt(mined.length);
  const isWhole =
    lowest + BigInt(mined.length) === count.value && mined.every(({ nonce }, at) => nonce === lowest + BigInt(at));
  if (!isWhole) return nodeFault("the node's blocks do not show all transactions of the account");
  return { value: { mined, ...account } };
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
