import { blockAt, MARGIN } from "../chain/evm/block-at.ts";
import { readEvmBlock, readEvmBySenderAndNonce, readNonce } from "../chain/evm/read-evm.ts";
import { type ChainNode, NO_OLD_STATE, type NodeFault, nodeFault, type Reading } from "../chain/node/node.ts";
import { type BlockReader, noncesBetween } from "./mined-nonce.ts";

export interface NonceRange {
  first: bigint;
  end: bigint;
  low: At;
  head: At<bigint>;
  /** The newest block that no reorganization replaces. */
  final: bigint;
}

export interface AuditedAccount {
  /** The first nonce since the requested time, if the node shows it. */
  first: bigint | undefined;
  /** The used nonces, without and with the node's pool. */
  count: bigint;
  pending: bigint;
  low: At;
  head: At<bigint>;
  /** Milliseconds since 1970 of the newest block. */
  time: number;
  final: bigint;
}

/** Blocks that count as final on a network without final blocks. */
const DEEP = 128n;

/** Reads how many nonces an account used. @param since milliseconds since 1970; absent for all nonces */
export async function readNonceAccount(
  node: ChainNode,
  account: string,
  { since, now }: { since: number | undefined; now: number },
): Promise<Reading<AuditedAccount>> {
  const head = await readEvmBlock(node, "latest", now);
  if ("fault" in head) return head;
  const last = head.value.number;
  const count = await readNonce(node, account, last);
  if ("fault" in count) return count;
  const pending = await readNonce(node, account, "pending");
  if ("fault" in pending) return pending;
  const finalized = await readEvmBlock(node, "finalized", now);
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

/** Returns the first nonce after a block from the node's index (facts 16.7), if it has one. */
async function findFirst(node: ChainNode, account: string, { block, count }: At<bigint>): Promise<bigint | undefined> {
  let [low, high] = [0n, count];
  while (low < high) {
    const nonce = (low + high) / 2n;
    const found = await readEvmBySenderAndNonce(node, account, nonce);
    if ("fault" in found || found.value?.block === undefined) return undefined;
    if (found.value.block > block) high = nonce;
    else low = nonce + 1n;
  }
  return low;
}

export interface At<T = bigint | undefined> {
  block: bigint;
  count: T;
}

export interface NonceRun {
  first: bigint;
  last: bigint;
}

/** The most blocks read one by one on a node without old state. */
const MOST_BLOCKS = 512n;
const SLICE = 8n;
const CONTRADICTION = nodeFault("the node's nonces contradict each other").fault;

type NonceSearch = ReturnType<typeof createNonceSearch>;

/** Creates a search for the blocks in which an account used nonces, by its nonces after earlier blocks (facts 15.6). */
export function createNonceSearch(node: ChainNode, account: string, reader: BlockReader) {
  // `stateless` is the newest block whose state the node did not have.
  return { node, account, reader, stateless: -1n, isIndexed: true, points: [] as At<bigint>[] };
}

export async function findNonceRun(
  search: NonceSearch,
  run: NonceRun,
  [low, high]: readonly [At, At<bigint>],
): Promise<NodeFault | undefined> {
  search.points = search.points.filter(({ count }) => count > run.first);
  const isNearer = (one: At<bigint>, other: At<bigint>) => other.count > run.last && other.block < one.block;
  const nearest = search.points.reduce((one, other) => (isNearer(one, other) ? other : one), high);
  return await bisect(search, low, nearest, run);
}

function wantedNonces({ reader }: NonceSearch, { first, last }: NonceRun): bigint[] {
  return noncesBetween(first, last + 1n).filter((nonce) => !reader.rows.has(nonce));
}

/** Reads the transactions from the node's index (facts 16.7), which few nodes have. */
async function readIndexed(search: NonceSearch, run: NonceRun): Promise<void> {
  const readOne = async (nonce: bigint) => {
    const found = search.isIndexed ? await readEvmBySenderAndNonce(search.node, search.account, nonce) : undefined;
    if (!found) return;
    if ("fault" in found) search.isIndexed &&= found.fault.kind !== "no_method";
    else if (found.value?.block !== undefined) await search.reader.readAt(found.value.block);
  };
  const [first, ...others] = wantedNonces(search, run);
  if (first !== undefined) await readOne(first);
  await Promise.all(others.map(readOne));
}

async function readWithoutState(search: NonceSearch, low: At, high: At<bigint>, run: NonceRun) {
  if (search.isIndexed) await readIndexed(search, run);
  if (wantedNonces(search, run).length === 0) return undefined;
  if (high.block - low.block > MOST_BLOCKS) return nodeFault(NO_OLD_STATE).fault;
  return await scanRun(search, low, high, run);
}

async function scanRun(search: NonceSearch, low: At, high: At<bigint>, run: NonceRun): Promise<NodeFault | undefined> {
  for (let block = low.block + 1n; block <= high.block && wantedNonces(search, run).length > 0; block += SLICE) {
    const last = block + SLICE - 1n;
    const fault = await search.reader.readAll(block, last < high.block ? last : high.block);
    if (fault) return fault;
  }
  return undefined;
}

async function bisect(search: NonceSearch, low: At, high: At<bigint>, run: NonceRun): Promise<NodeFault | undefined> {
  if (!mayHold(low, high, run)) return undefined;
  if (isDense(low, high)) return await scanRun(search, low, high, run);
  if (high.block - 1n <= search.stateless) return await readWithoutState(search, low, high, run);
  const block = (low.block + high.block) / 2n;
  const middle = block <= search.stateless ? "gone" : await readPoint(search, block, low, high);
  if (middle === "gone") return await descendWithout(search, block, { low, high, run });
  if ("kind" in middle) return middle;
  search.points.push(middle);
  const faults = await Promise.all([bisect(search, low, middle, run), bisect(search, middle, high, run)]);
  return faults.find((fault) => fault !== undefined);
}

async function readPoint(search: NonceSearch, block: bigint, low: At, high: At<bigint>) {
  const nonce = await readNonce(search.node, search.account, block);
  if ("fault" in nonce) return nonce.fault.kind === "failed" ? "gone" : nonce.fault;
  return (low.count ?? 0n) > nonce.value || nonce.value > high.count ? CONTRADICTION : { block, count: nonce.value };
}

/** Searches on both sides of a block whose state the node does not have: later blocks may still have theirs. */
async function descendWithout(
  search: NonceSearch,
  block: bigint,
  { low, high, run }: { low: At; high: At<bigint>; run: NonceRun },
): Promise<NodeFault | undefined> {
  if (block > search.stateless) search.stateless = block;
  const fault = await bisect(search, { block, count: undefined }, high, run);
  if (wantedNonces(search, run).length === 0) return undefined;
  return fault ?? (await readWithoutState(search, low, { block, count: high.count }, run));
}

function mayHold(low: At, high: At<bigint>, run: NonceRun): boolean {
  return high.block > low.block && high.count > run.first && (low.count ?? 0n) <= run.last && low.count !== high.count;
}

function isDense({ block, count }: At, high: At<bigint>): boolean {
  const blocks = high.block - block;
  return blocks === 1n || (count !== undefined && 2n * blocks <= 3n * (high.count - count));
}
