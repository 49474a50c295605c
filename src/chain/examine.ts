import type { Client } from "../client/client.ts";
import { wireAmount } from "../contract/amount.ts";
import { knownTime, receivedTime } from "../contract/reply/received-time.ts";
import { SPEEDS } from "../contract/transaction/replacement-price.ts";
import { isFinal, type Transaction, txStatus } from "../contract/transaction/transaction.ts";
import { ifReadable } from "../errors.ts";
import { readFeeHistory } from "./evm/fee-history.ts";
import { readNonceQueued, readNonceUse } from "./evm/nonce-use.ts";
import { hexHash } from "./evm/quantity.ts";
import { type ChainTransaction, feeIn, readEvmBlock, readEvmReceipt, readEvmTransaction } from "./evm/read-evm.ts";
import { type NetworkFacts, networkReplacesUnraised } from "./network.ts";
import { readLateNodeReason } from "./node/late-node.ts";
import { boundedNode, type ChainNode, createMissing, type Missing, type NodeFault, type Reading } from "./node/node.ts";
import type { Chain } from "./open-chain.ts";
import { type Fees, feeMarket } from "./replacement/fees.ts";
import type { AbiSource } from "./simulation/revert-reason.ts";
import { hashesWithSecondNonce, minedIn, usesSameNonce } from "./verdict/mined-version.ts";
import type { ChainFacts, Evidence, HashFacts, Verdict } from "./verdict/verdict.ts";
import { verdictOfEvidence } from "./verdict/verdict-of.ts";
import { newestWanted } from "./verdict/wanted.ts";

export interface ChainQuestion {
  /** Oldest first. */
  records: readonly [Transaction, ...Transaction[]];
  /** Further hashes of the transaction, e.g. from a receipt, newest first. */
  hashes?: readonly string[] | undefined;
  now: number;
  /** The block up to which a transaction counts. */
  upTo?: "latest" | "finalized";
  /** To check whether the node lags. */
  network: Pick<NetworkFacts, "chainId" | "blockTime">;
}

const MOST_HASHES = 8;

/** Reads the known hashes, newest first, until one is mined, or else who used the nonce. Sends at most 600 calls. */
export async function readExaminedFacts(node: ChainNode, asked: ChainQuestion): Promise<Reading<ChainFacts>> {
  const question = { ...asked, now: latestExaminedTime(asked.now, asked.records) };
  const { missing, ...missed } = createMissing();
  const newest = question.records[question.records.length - 1] ?? question.records[0];
  let read: Promise<bigint | undefined> | undefined;
  const reads: Reads = { node, height: () => (read ??= readHeight(node, question, missed)), ...missed };
  const known = await lookUp(reads, knownHashes(question), (found) => usesSameNonce(newest, found));
  if ("fault" in known) return known;
  const { hashes, isMined } = known.value;
  await lookUpMore(reads, hashes, [...hashesWithSecondNonce(question), ...(question.hashes ?? [])]);
  const user = isMined ? {} : await readUserFacts(reads, newest, question);
  if ("fault" in user) {
    if (hashes.size === 0) return { fault: user.fault };
    reads.lack(user.fault);
    return { value: { hashes, missing } };
  }
  const newestHash = hexHash(newest.hash);
  const isAbsent = user.nonceUse?.state === "unused" && (newestHash === undefined || !hashes.get(newestHash));
  const delay = isAbsent ? await readLateNodeReason(node, question.network, question.now) : undefined;
  const isMinedAnywhere = [...hashes.values()].some((found) => found?.transaction.block !== undefined);
  const height = isMinedAnywhere || user.userReceipt ? await reads.height() : undefined;
  return { value: { hashes, ...user, height, ...(delay !== undefined && { delay }), missing } };
}

interface Reads extends Missed {
  node: ChainNode;
  /** Reads the height once, before a receipt: after a reorganization, new blocks must not count as following it. */
  height(): Promise<bigint | undefined>;
}

async function lookUp(reads: Reads, all: readonly string[], isOwn: (transaction: ChainTransaction) => boolean) {
  const hashes = new Map<string, HashFacts | null>();
  for (const hash of all) {
    const found = await readHash(reads, hash);
    if ("fault" in found) {
      // A node that can't be asked would fail for any other question, too.
      if (hashes.size === 0 && found.fault.kind !== "unreadable") return found;
      reads.lack(found.fault);
      continue;
    }
    hashes.set(hash, found.value);
    const transaction = found.value?.transaction;
    if (transaction?.block !== undefined && isOwn(transaction)) return { value: { hashes, isMined: true } };
  }
  return { value: { hashes, isMined: false } };
}

/** Looks up hashes that may have been mined with another nonce, in addition to the record's own (facts 15.9). */
async function lookUpMore(reads: Reads, hashes: Map<string, HashFacts | null>, more: readonly string[]) {
  for (const hash of more.flatMap((each) => hexHash(each) ?? []).slice(0, MOST_HASHES)) {
    const found = hashes.has(hash) ? undefined : reads.known(await readHash(reads, hash));
    if (found !== undefined) hashes.set(hash, found);
  }
}

/** Reads one hash only, the newest one, with its receipt. Three calls. */
async function readNewestHash(node: ChainNode, record: Transaction): Promise<Reading<ChainFacts>> {
  const hash = hexHash(record.hash);
  if (hash === undefined) return { fault: { kind: "unreadable", words: "the record has no hash to look up" } };
  const { missing, ...missed } = createMissing();
  const found = await readHash({ node, height: async () => undefined, ...missed }, hash);
  return "fault" in found ? found : { value: { hashes: new Map([[hash, found.value]]), missing } };
}

function knownHashes({ records, hashes = [] }: ChainQuestion): string[] {
  const recorded = records.map(({ hash }) => hash).reverse();
  const all = [...recorded, ...hashes].map((hash) => hexHash(hash)).filter((hash) => hash !== undefined);
  return [...new Set(all)].slice(0, MOST_HASHES);
}

async function readHash({ node, height, known }: Reads, hash: string): Promise<Reading<HashFacts | null>> {
  const found = await readEvmTransaction(node, hash);
  if ("fault" in found || found.value === null) return found as Reading<null>;
  const transaction = found.value;
  if (transaction.block === undefined) return { value: { transaction } };
  await height();
  const receipt = known(await readEvmReceipt(node, hash, transaction.block));
  return { value: { transaction, receipt: receipt ?? undefined } };
}

async function readUserFacts({ node, height, known, lack }: Reads, record: Transaction, question: ChainQuestion) {
  const nonce = wireAmount(record.nonce);
  if (typeof record.from !== "string" || nonce === undefined) return {};
  const slot = { from: record.from.toLowerCase(), nonce, since: firstBroadcast(question) };
  const found = await readNonceUse(node, slot, question.now);
  if ("fault" in found) return found;
  const nonceUse = found.value;
  if (nonceUse.state === "unused") {
    return {
      nonceUse,
      isQueued: isFinal(txStatus(record)) ? known(await readNonceQueued(node, slot)) : undefined,
    };
  }
  const { by } = nonceUse;
  if (!by) lack({ kind: "unreadable", words: nonceUse.why });
  if (by?.block === undefined) return { nonceUse };
  await height();
  const receipt = await readEvmReceipt(node, by.hash, by.block);
  const block = await readEvmBlock(node, by.block, question.now);
  return { nonceUse, userReceipt: known(receipt) ?? undefined, userTime: known(block)?.time };
}

/** Milliseconds from the creation in which a broadcast may not have been the first. */
const RESENT_SOON = 5 * 60_000;

/** Returns the time of the first broadcast that the records show, or of the creation if it was shortly before. */
function firstBroadcast({ records }: ChainQuestion): number | undefined {
  const sent = records.map(({ sent_at }) => receivedTime(sent_at)).filter(Number.isFinite);
  const created = knownTime(records[0].created_at);
  const first = Math.min(...sent);
  // Each time that the service sends a version again moves `sent_at`, and an earlier version may have been mined.
  const wasSentAgain = created === undefined || first - created > RESENT_SOON;
  return sent.length > 0 && wasSentAgain ? first : created;
}

type Missed = Pick<Missing, "known" | "lack">;

async function readHeight(node: ChainNode, { now, upTo = "latest" }: ChainQuestion, { known, lack }: Missed) {
  const block = known(await readEvmBlock(node, upTo, now));
  const newest = upTo === "latest" ? block : known(await readEvmBlock(node, "latest", now));
  if (!block || !newest) return undefined;
  if (block.number <= newest.number) return block.number;
  lack({ kind: "unreadable", words: "the node's final block is after its newest one" });
  return undefined;
}

export type Question = Omit<ChainQuestion, "network"> &
  Pick<Evidence, "records" | "isGone" | "wanted" | "isComplete" | "isStrict"> & {
    relayerId: string;
    /** Blocks after its own until it counts as confirmed (default: the network's). */
    confirmations?: bigint | undefined;
    abis?: AbiSource | undefined;
    /** Absent if there is no limit. */
    remaining?: (() => number) | undefined;
  };

export interface Examined {
  verdict: Verdict;
  /** Undefined if the node could not be asked. */
  facts: ChainFacts | undefined;
  /** Why the chain could not be asked, so that the verdict only follows from the record. */
  fault: NodeFault | undefined;
  /** The node that responded last. */
  node: string;
}

interface RecordReader {
  tx: Pick<Client["tx"], "getByNonce">;
}

/** The most calls for one verdict: hashes, receipts, the search, and the blocks of a node without old state. */
const MOST_CALLS = 600;

export async function examineTx(chain: Chain, client: RecordReader, question: Question): Promise<Examined> {
  const { network, cap } = chain;
  const node = boundedNode(chain.node, { calls: MOST_CALLS, remaining: question.remaining });
  const reading = await readExaminedFacts(node, { ...question, network });
  const facts = "value" in reading ? reading.value : undefined;
  const fault = "fault" in reading ? reading.fault : undefined;
  const others = facts && (await othersWithNonce(client, facts, question));
  const { records, isGone, wanted, isComplete, isStrict, confirmations = network.confirmations } = question;
  const shown = { records, others, isGone, wanted, isComplete, isStrict, confirmations };
  const evidence: Evidence = { ...shown, kind: "evm", isUnraised: networkReplacesUnraised(network), cap, chain: facts };
  const verdict = verdictOfEvidence(evidence);
  const more = await moreEvidence(verdict, evidence, { chain: { ...chain, node }, question });
  return { verdict: more ? verdictOfEvidence({ ...evidence, ...more }) : verdict, facts, fault, node: node.name };
}

/** Checks a record that reads `confirmed` with three calls: the service may have found another version (facts 16.1). */
export async function examineConfirmed(node: ChainNode, record: Transaction): Promise<Examined> {
  const reading = await readNewestHash(node, record);
  const facts = "value" in reading ? reading.value : undefined;
  const verdict = verdictOfEvidence({
    records: [record],
    kind: "evm",
    confirmations: 0n,
    isUnraised: false,
    chain: facts,
  });
  return { verdict, facts, fault: "fault" in reading ? reading.fault : undefined, node: node.name };
}

async function moreEvidence(
  { verdict }: Verdict,
  evidence: Evidence,
  { chain, question }: { chain: Chain; question: Question },
): Promise<Pick<Evidence, "market" | "replay"> | undefined> {
  if (verdict === "never_broadcast" && evidence.isUnraised) return { market: await marketNow(chain, question) };
  const [mined] = verdict === "reverted" ? minedIn(evidence) : [];
  if (!mined) return undefined;
  const { recordedRevert } = await import("./simulation/recorded-revert.ts");
  const newest = newestWanted(evidence);
  const isShown = newest.hash?.toLowerCase() === mined.transaction.hash;
  const recorded = isShown ? await recordedRevert(newest, question.abis) : undefined;
  if (recorded) return { replay: recorded };
  const { simulateCall } = await import("./simulation/simulate.ts");
  const { from, to, value, data, gasLimit: gas } = mined.transaction;
  const before = mined.block > 0n ? mined.block - 1n : 0n;
  return { replay: await simulateCall(chain.node, { from, to, value, data, gas }, before, question.abis) };
}

/** Reads the newest record with the nonce, if an unknown transaction used it (facts 16.3). */
async function othersWithNonce({ tx }: RecordReader, { nonceUse, hashes }: ChainFacts, question: Question) {
  const user = nonceUse?.state === "used" ? nonceUse.by : undefined;
  const nonce = wireAmount(newestWanted(question).nonce);
  if (!user || hashes.has(user.hash) || nonce === undefined) return undefined;
  const found = await ifReadable(tx.getByNonce(question.relayerId, String(nonce)));
  return found && [found.data];
}

/** Reads the market's price for the newest record; a bump without a speed counts as fast (facts 15.12). */
async function marketNow({ node, network }: Chain, question: Question): Promise<Fees | undefined> {
  const history = await readFeeHistory(node);
  const speed = SPEEDS.find((each) => each === newestWanted(question).speed) ?? "fast";
  return "value" in history ? feeMarket(history.value, network.blockTime)(speed) : undefined;
}

/** Returns what a verdict's mined transaction paid, in wei; undefined if none was mined or no receipt was read. */
export function examinedFee({ seen }: Verdict, facts: ChainFacts | undefined): bigint | undefined {
  if (!seen || !facts) return undefined;
  const user = facts.userReceipt?.hash === seen.hash ? facts.userReceipt : undefined;
  const receipt = facts.hashes.get(seen.hash)?.receipt ?? user;
  return receipt && feeIn(receipt);
}

/** Returns the later of this machine's time and the service's, as records show it. */
export function latestExaminedTime(now: number, records: readonly (Transaction | undefined)[]): number {
  const shown = records.flatMap((record) => [record?.created_at, record?.sent_at, record?.confirmed_at]);
  return Math.max(now, ...shown.map((time) => receivedTime(time)).filter(Number.isFinite));
}
