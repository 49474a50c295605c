import { wireAmount } from "../contract/amount.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { isFinal, statusOf } from "../contract/transaction/transaction-state.ts";
import { readBlock } from "./evm/block.ts";
import type { Slot } from "./evm/nonce-search.ts";
import { readNonceUse, readQueued } from "./evm/nonce-use.ts";
import { hashOf } from "./evm/quantity.ts";
import { readReceipt } from "./evm/receipt.ts";
import { type ChainTransaction, readTransaction } from "./evm/transaction.ts";
import { latestTime } from "./latest-time.ts";
import type { ChainNode, NodeFault, Reading } from "./node/node.ts";
import type { ChainFacts, HashFacts } from "./verdict/evidence.ts";
import { hasSlotOf } from "./verdict/of-mined.ts";
import { hashesWithOtherNonce } from "./verdict/second-nonce.ts";

export interface ChainQuestion {
  /** The records that were seen, oldest first. */
  records: readonly [Transaction, ...Transaction[]];
  /** Further hashes of the transaction, e.g. from a receipt, newest first. */
  hashes?: readonly string[];
  /** Milliseconds since 1970. */
  now: number;
  /** The block up to which a transaction counts, by its tag. */
  upTo?: "latest" | "finalized";
}

/** The most hashes of one transaction that are looked up. */
const MOST_HASHES = 8;

/**
 * Reads what the chain holds of an EVM transaction: each known hash, newest first, until one is mined; and if none is,
 * who used the nonce. Takes at most 600 calls, and usually three.
 * @returns a fault if the node could not be asked at all
 */
export async function readChainFacts(node: ChainNode, asked: ChainQuestion): Promise<Reading<ChainFacts>> {
  const question = { ...asked, now: latestTime(asked.now, asked.records) };
  const missing: string[] = [];
  const lack = ({ words }: NodeFault) => void (missing.includes(words) || missing.push(words));
  const newest = question.records[question.records.length - 1] ?? question.records[0];
  const reads = { node, height: heightOnce(node, question, lack), lack };
  const known = await lookUp(reads, knownHashes(question), (found) => hasSlotOf(newest, found));
  if ("fault" in known) return known;
  const { hashes, isMined } = known.value;
  await lookUpMore(reads, hashes, [...hashesWithOtherNonce(question), ...(question.hashes ?? [])]);
  const user = isMined ? {} : await userFacts(reads, newest, question);
  if ("fault" in user) {
    if (hashes.size === 0) return { fault: user.fault };
    lack(user.fault);
    return { value: { hashes, missing } };
  }
  const isMinedAnywhere = [...hashes.values()].some((found) => found?.transaction.block !== undefined);
  const height = isMinedAnywhere || user.userReceipt ? await reads.height() : undefined;
  return { value: { hashes, ...user, height, missing } };
}

/** How the facts of one question are read. */
interface Reads {
  node: ChainNode;
  /** Reads the height once, before a receipt: after a reorganization, new blocks must not count as following it. */
  height(): Promise<bigint | undefined>;
  lack: Lack;
}

/** Looks hashes up until one with the right sender and nonce is mined. */
async function lookUp(
  reads: Reads,
  all: readonly string[],
  isOwn: (transaction: ChainTransaction) => boolean,
): Promise<Reading<{ hashes: Map<string, HashFacts | null>; isMined: boolean }>> {
  const hashes = new Map<string, HashFacts | null>();
  for (const hash of all) {
    const found = await readHash(reads, hash);
    if ("fault" in found) {
      // A node that cannot be asked would fail for any other question too.
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
  for (const hash of more.flatMap((each) => hashOf(each) ?? []).slice(0, MOST_HASHES)) {
    const found = hashes.has(hash) ? undefined : await readHash(reads, hash);
    if (found && "fault" in found) reads.lack(found.fault);
    else if (found) hashes.set(hash, found.value);
  }
}

/** Reads one hash only, the newest one, with its receipt. Three calls. */
export async function readNewestHash(node: ChainNode, record: Transaction): Promise<Reading<ChainFacts>> {
  const hash = hashOf(record.hash);
  if (hash === undefined) return { fault: { kind: "unreadable", words: "the record has no hash to look up" } };
  const missing: string[] = [];
  const lack = ({ words }: NodeFault) => void missing.push(words);
  const found = await readHash({ node, height: async () => undefined, lack }, hash);
  return "fault" in found ? found : { value: { hashes: new Map([[hash, found.value]]), missing } };
}

function knownHashes({ records, hashes = [] }: ChainQuestion): string[] {
  const recorded = records.map(({ hash }) => hash).reverse();
  const all = [...recorded, ...hashes].map((hash) => hashOf(hash)).filter((hash) => hash !== undefined);
  return [...new Set(all)].slice(0, MOST_HASHES);
}

type Lack = (fault: NodeFault) => void;

async function readHash({ node, height, lack }: Reads, hash: string): Promise<Reading<HashFacts | null>> {
  const found = await readTransaction(node, hash);
  if ("fault" in found || found.value === null) return found as Reading<null>;
  const transaction = found.value;
  if (transaction.block === undefined) return { value: { transaction } };
  await height();
  const receipt = await readReceipt(node, hash, transaction.block);
  if ("fault" in receipt) lack(receipt.fault);
  return { value: { transaction, receipt: "value" in receipt ? (receipt.value ?? undefined) : undefined } };
}

type UserFacts = Pick<ChainFacts, "nonceUse" | "isQueued" | "userReceipt" | "userTime">;

/** Reads who used the nonce of a record. */
async function userFacts(
  { node, height, lack }: Reads,
  record: Transaction,
  question: ChainQuestion,
): Promise<UserFacts | { fault: NodeFault }> {
  const nonce = wireAmount(record.nonce);
  if (typeof record.from !== "string" || nonce === undefined) return {};
  const slot = { from: record.from.toLowerCase(), nonce, since: computeSince(question) };
  const found = await readNonceUse(node, slot, question.now);
  if ("fault" in found) return found;
  const nonceUse = found.value;
  if (nonceUse.state === "unused") {
    return { nonceUse, isQueued: isFinal(statusOf(record)) ? await isQueued(node, slot, lack) : undefined };
  }
  const { by } = nonceUse;
  if (!by) lack({ kind: "unreadable", words: nonceUse.why });
  if (by?.block === undefined) return { nonceUse };
  await height();
  const receipt = await readReceipt(node, by.hash, by.block);
  const block = await readBlock(node, by.block, question.now);
  for (const reading of [receipt, block]) if ("fault" in reading) lack(reading.fault);
  return {
    nonceUse,
    userReceipt: "value" in receipt ? (receipt.value ?? undefined) : undefined,
    userTime: "value" in block ? block.value.time : undefined,
  };
}

async function isQueued(node: ChainNode, slot: Slot, lack: Lack): Promise<boolean | undefined> {
  const queued = await readQueued(node, slot);
  if ("value" in queued) return queued.value;
  lack(queued.fault);
  return undefined;
}

/** Milliseconds from the creation in which a broadcast may not have been the first one. */
const RESENT_SOON = 5 * 60_000;

/** Returns the time of the first broadcast that the records show, or of the creation if that was shortly before. */
function computeSince({ records }: ChainQuestion): number | undefined {
  const sent = records.map(({ sent_at }) => receivedTime(sent_at)).filter(Number.isFinite);
  const created = receivedTime(records[0].created_at);
  const first = Math.min(...sent);
  // Each time that the service sends a version again moves `sent_at`, and an earlier one may be the one that was mined.
  if (sent.length > 0 && !(first - created <= RESENT_SOON)) return first;
  return Number.isFinite(created) ? created : undefined;
}

/** Which block counts as the newest one. */
interface Newest {
  /** Milliseconds since 1970. */
  now: number;
  upTo?: "latest" | "finalized" | undefined;
}

/** Returns a function that reads the height of the chain once; undefined if it cannot be read, which is passed on. */
function heightOnce(
  node: ChainNode,
  newest: Newest,
  lack: (fault: NodeFault) => void,
): () => Promise<bigint | undefined> {
  let height: Promise<bigint | undefined> | undefined;
  return () => (height ??= readHeight(node, newest, lack));
}

async function readHeight(node: ChainNode, { now, upTo = "latest" }: Newest, lack: (fault: NodeFault) => void) {
  const block = await readBlock(node, upTo, now);
  const newest = upTo === "latest" ? block : await readBlock(node, "latest", now);
  for (const reading of [block, newest]) if ("fault" in reading) lack(reading.fault);
  if ("fault" in block || "fault" in newest) return undefined;
  if (block.value.number <= newest.value.number) return block.value.number;
  lack({ kind: "unreadable", words: "the node's final block is after its newest one" });
  return undefined;
}
