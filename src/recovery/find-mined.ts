import { blockAt } from "../chain/evm/block-at.ts";
import { areConsecutive, readUsesSince, type Uses } from "../chain/evm/nonce-use.ts";
import { hexAddress } from "../chain/evm/quantity.ts";
import {
  type ChainTransaction,
  readEvmBlock,
  readEvmBlocksOfSender,
  readEvmTransaction,
  readNonce,
} from "../chain/evm/read-evm.ts";
import { explainLateNode } from "../chain/node/late-node.ts";
import { boundedNode, type ChainNode, isNodeUnaskable, nodeFault, type Reading } from "../chain/node/node.ts";
import type { Chain } from "../chain/open-chain.ts";
import { isNoopVerdictVersion } from "../chain/verdict/verdict.ts";
import { DAY, LONGEST_DELAY } from "../journal/created-in-time.ts";
import { CHAIN_SEARCH_TIME } from "../timing.ts";
import {
  type FindingWorld,
  isSameLostSend,
  type LateRecord,
  type LostSend,
  lostSendContent,
  type SendEvidence,
  type SendFate,
  unknownSend,
} from "./lost-send.ts";

/** Milliseconds by which the clocks of this machine and the chain may differ. */
const [BEFORE, AFTER] = [60_000, 600_000];

/** The most requests, blocks, and records of other versions, for what has no record. */
const MOST_CALLS = 1_024;
const [MOST_BLOCKS, MOST_OTHERS] = [1_000n, 16n];

interface Asked extends SendEvidence {
  chain: Chain;
  uses: Uses;
  now: number;
}

/**
 * Asks the chain about requests without a record, since final records are deleted (facts 5.1). Compares everything that
 * the relayer's address sent since the day before the first of them, unless it has a record.
 * @param chain undefined if it can't be opened
 * @param known `areAccepted` if the service accepted them, at times that its responses show: then that day is not needed,
 *   which a node without old state could not show
 */
export async function findMined(
  chain: Chain | undefined,
  sends: readonly LostSend[],
  known: SendEvidence & Pick<FindingWorld, "now"> & { areAccepted?: boolean },
): Promise<ReadonlyMap<string, SendFate>> {
  const findings = new Map<string, SendFate>();
  const from = hexAddress(chain?.relayer?.address);
  if (!chain || from === undefined || chain.relayer?.network_type !== "evm") return findings;
  const first = sends.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const since = known.areAccepted ? earliestOnChain(first, known) : first - DAY;
  const now = known.now();
  const remaining = () => now + CHAIN_SEARCH_TIME - known.now();
  const uses = await readUsesSince(chain.node, from, { network: chain.network, since, now, remaining });
  for (const send of sends) {
    if ("value" in uses) findings.set(send.id, await findFate(send, { ...known, chain, uses: uses.value, now }));
    else {
      const because = `${NO_RECORD}, and the chain could not be asked: ${uses.fault.words}`;
      findings.set(send.id, { state: "unknown", because, candidates: [], isUnasked: true });
    }
  }
  return findings;
}

/** The earliest time on the chain of what was sent at a time, by a clock that may be ahead of it. */
function earliestOnChain(time: number, { others }: SendEvidence): number {
  return time - BEFORE + Math.min(0, others.offset.least);
}

/**
 * Returns a search for other transactions that agree with a request, whose records may have been deleted. All requests
 * share its time limit. It finds none if the chain can never be asked.
 */
export function createRivalSearch(chain: Chain, known: SendEvidence & Pick<FindingWorld, "now">) {
  const from = hexAddress(chain.relayer?.address);
  const end = known.now() + CHAIN_SEARCH_TIME;
  let last: { since: number; found: Unrecorded } | undefined;
  return async ({ send, created }: LateRecord): Promise<Reading<string[]>> => {
    if (from === undefined || chain.relayer?.network_type !== "evm") return { value: [] };
    const since = earliestOnChain(send.time, known);
    if (!last || since < last.since || since - last.since > AFTER)
      last = { since, found: await readUnrecorded(chain, from, { since, end, ...known }) };
    const { found } = last;
    if ("value" in found) return await findOthers(found.value, { send, created }, known);
    return isNodeUnaskable(found.fault) ? { value: [] } : found;
  };
}

/** A canceled transaction pays nothing, and agrees with no request. */
async function findOthers(
  { mined, delay, head }: Shown,
  { send, created }: LateRecord,
  known: SendEvidence,
): Promise<Reading<string[]>> {
  const others = [...(await agreeingWith(send, mined, known)), ...unrecordedNoops(mined, known)];
  const why = head.time < created ? "the node's newest block is older than the record" : delay;
  return others.length > 0 || why === undefined ? { value: others.map(({ hash }) => hash) } : nodeFault(why);
}

function unrecordedNoops(mined: readonly ChainTransaction[], { listed }: Pick<SendEvidence, "listed">) {
  return mined.filter((each) => !listed.nonces.has(each.nonce) && isNoopVerdictVersion(each, each.from));
}

type Shown = Pick<Uses, "mined" | "delay" | "head">;
type Unrecorded = Reading<Shown>;

interface Searching extends SendEvidence {
  since: number;
  /** When the search ends. */
  end: number;
  now(): number;
}

async function readUnrecorded(chain: Chain, from: string, searching: Searching): Promise<Unrecorded> {
  const { since, end, now } = searching;
  const remaining = () => end - now();
  const beside = await readBeforeRecords(chain, from, searching);
  if ("value" in beside) return beside;
  return await readUsesSince(chain.node, from, { network: chain.network, since, now: now(), remaining });
}

/**
 * Reads what an address sent since a time and has no record, without old state, which few nodes have: if each later nonce
 * has a record, it is in a block up to the first of them.
 */
async function readBeforeRecords(
  { node: asked, network }: Chain,
  from: string,
  { listed: { nonces }, since, end, now }: Searching,
): Promise<Unrecorded> {
  const node = boundedNode(asked, { calls: MOST_CALLS, remaining: () => end - now() });
  const head = await readEvmBlock(node, "latest", now());
  if ("fault" in head) return head;
  const { number } = head.value;
  const delay = explainLateNode(head.value, network, now());
  const used = delay === undefined ? await readNonce(node, from, number) : nodeFault(delay);
  if ("fault" in used) return used;
  let first = used.value;
  while (nonces.get(first - 1n) !== undefined) first--;
  if (first === used.value) return nodeFault("its newest transaction has no record");
  const recorded = await readFirstMined(node, nonces, first, used.value);
  if ("fault" in recorded) return recorded;
  const { nonce, block: last } = recorded.value;
  const start = await blockAt(node, since, { after: number, now: now() });
  if ("fault" in start) return start;
  if (last - start.value > MOST_BLOCKS) return nodeFault("its first record is too far from the request");
  const found = await readEvmBlocksOfSender(node, from, { after: start.value, last });
  if ("fault" in found) return found;
  if (start.value < last && !isRunWith(found.value, nonce))
    return nodeFault("the node's blocks do not show all transactions of the account");
  return { value: { mined: found.value, delay: undefined, head: head.value } };
}

/** Returns the first of the nonces from one on that was mined as its record shows, and the block. */
async function readFirstMined(
  node: ChainNode,
  nonces: SendEvidence["listed"]["nonces"],
  first: bigint,
  end: bigint,
): Promise<Reading<{ nonce: bigint; block: bigint }>> {
  for (let nonce = first; nonce < end && nonce < first + MOST_OTHERS; nonce++) {
    const recorded = await readEvmTransaction(node, String(nonces.get(nonce)));
    if ("fault" in recorded) return recorded;
    const block = recorded.value?.nonce === nonce ? recorded.value.block : undefined;
    if (block !== undefined) return { value: { nonce, block } };
  }
  return nodeFault("its first records show other versions");
}

function isRunWith(mined: readonly ChainTransaction[], nonce: bigint): boolean {
  return areConsecutive(mined) && mined.some((each) => each.nonce === nonce);
}

/** Returns the mined transactions without a record that may be a request's result. */
async function agreeingWith(
  { id, shape }: LostSend,
  all: readonly ChainTransaction[],
  { listed, ownersOf }: Pick<SendEvidence, "listed" | "ownersOf">,
): Promise<ChainTransaction[]> {
  const agreeing: ChainTransaction[] = [];
  for (const mined of all) {
    if (listed.nonces.get(mined.nonce) === mined.hash || !isSameLostSend(shape, shapeIn(mined))) continue;
    if ((await ownersOf(mined.hash)).every((owner) => owner === id)) agreeing.push(mined);
  }
  return agreeing;
}

const NO_RECORD = "no transaction since then agrees with it";

async function findFate(send: LostSend, asked: Asked): Promise<SendFate> {
  const agreeing = await agreeingWith(send, asked.uses.mined, asked);
  const [one, ...more] = agreeing;
  // By a clock that was behind, an earlier, equal payment would seem to be later, and a new request old.
  const sent = send.time + Math.max(0, asked.others.offset.least);
  if (!one) return whyUnmined(Math.max(sent, send.date ?? 0), asked) ?? { state: "unsent" };
  const hashes = agreeing.map(({ hash }) => hash);
  if (more.length > 0)
    return unknownSend(`${hashes.length} transactions of the chain agree with it: ${hashes.join(", ")}`, hashes);
  if (asked.listed.nonces.has(one.nonce))
    return unknownSend(
      `transaction ${one.hash} of the chain agrees with it, but its record shows another version`,
      hashes,
    );
  const rival = equalSends(send, one, asked)[0];
  if (rival)
    return unknownSend(`transaction ${one.hash} of the chain agrees with it, and with run ${rival.run}`, hashes);
  const block = await readEvmBlock(asked.chain.node, one.block ?? 0n, asked.now);
  const isTimely =
    "value" in block && block.value.time >= sent - BEFORE && block.value.time <= send.time + LONGEST_DELAY + AFTER;
  if (isTimely) return { state: "sent", mined: one };
  return unknownSend(`transaction ${one.hash} of the chain agrees with it, but not certainly from that time`, hashes);
}

function equalSends(send: LostSend, mined: ChainTransaction, { others }: SendEvidence): LostSend[] {
  return [...others.rivals, ...others.settled].filter(
    (other) => other.id !== send.id && isSameLostSend(other.shape, shapeIn(mined)),
  );
}

function whyUnmined(sent: number, { uses, listed, now }: Asked): SendFate | undefined {
  if (uses.delay !== undefined) return { ...unknownSend(`${NO_RECORD}, and ${uses.delay}`), isUnasked: true };
  const late = sent + LONGEST_DELAY + AFTER;
  if (now < late || uses.head.time < late)
    return unknownSend(`${NO_RECORD}, not even on the chain; it may still arrive`);
  for (let nonce = uses.count; nonce < uses.pending; nonce++)
    if (!listed.nonces.has(nonce))
      return unknownSend(`${NO_RECORD}, but a transaction of the relayer waits without a record`);
  const [noop] = unrecordedNoops(uses.mined, { listed });
  if (noop) return unknownSend(`${NO_RECORD}, but transaction ${noop.hash} of the chain may be its cancellation`);
  return undefined;
}

function shapeIn({ to, value, data, gasLimit }: ChainTransaction) {
  return { content: lostSendContent({ to, value, data }), gas: gasLimit };
}
