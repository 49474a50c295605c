import { readNonce } from "../chain/evm/account.ts";
import { readBlock } from "../chain/evm/block.ts";
import { blockAt, MARGIN } from "../chain/evm/nonce-search.ts";
import { readBySenderAndNonce } from "../chain/evm/transaction.ts";
import type { ChainNode, Reading } from "../chain/node/node.ts";
import type { At } from "./search-nonces.ts";

export interface NonceRange {
  first: bigint;
  /** The nonce after the last one. */
  end: bigint;
  low: At;
  head: At<bigint>;
  /** The newest block that no reorganization replaces. */
  final: bigint;
}

export interface Account {
  /** The first nonce since the time that was requested; undefined if the node does not show it. */
  first: bigint | undefined;
  /** How many nonces were used, and how many with those in the node's pool. */
  count: bigint;
  pending: bigint;
  low: At;
  head: At<bigint>;
  /** Milliseconds since 1970 of the newest block. */
  time: number;
  final: bigint;
}

/** What counts as final on a network without final blocks. */
const DEEP = 128n;

/** Reads how many nonces an account used. @param since milliseconds since 1970; absent for all nonces */
export async function readAccount(
  node: ChainNode,
  account: string,
  { since, now }: { since: number | undefined; now: number },
): Promise<Reading<Account>> {
  const head = await readBlock(node, "latest", now);
  if ("fault" in head) return head;
  const last = head.value.number;
  const count = await readNonce(node, account, last);
  if ("fault" in count) return count;
  const pending = await readNonce(node, account, "pending");
  if ("fault" in pending) return pending;
  const finalized = await readBlock(node, "finalized", now);
  const final = "value" in finalized ? finalized.value.number : last > DEEP ? last - DEEP : -1n;
  const known = {
    count: count.value,
    pending: pending.value,
    head: { block: last, count: count.value },
    final,
    time: head.value.time,
  };
  if (since === undefined) return { value: { ...known, first: 0n, low: { block: -1n, count: 0n } } };
  if (head.value.time <= since) return { value: { ...known, first: count.value, low: known.head } };
  const start = await blockAt(node, since + MARGIN, { after: last, now });
  if ("fault" in start) return start;
  const block = start.value;
  const before = block === 0n ? { value: 0n } : await readNonce(node, account, block);
  if ("value" in before) return { value: { ...known, first: before.value, low: { block, count: before.value } } };
  if (before.fault.kind !== "failed") return before;
  const first = await findFirst(node, account, { block, count: count.value });
  return { value: { ...known, first, low: { block, count: first } } };
}

/** Returns the first nonce after a block by the node's own index (facts 16.7); undefined without one. */
async function findFirst(node: ChainNode, account: string, { block, count }: At<bigint>): Promise<bigint | undefined> {
  let [low, high] = [0n, count];
  while (low < high) {
    const nonce = (low + high) / 2n;
    const found = await readBySenderAndNonce(node, account, nonce);
    if ("fault" in found || found.value?.block === undefined) return undefined;
    if (found.value.block > block) high = nonce;
    else low = nonce + 1n;
  }
  return low;
}
