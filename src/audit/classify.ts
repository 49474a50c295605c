import { hexHash } from "../chain/evm/quantity.ts";
import { verdictOfMined } from "../chain/verdict/mined-version.ts";
import { isNoopVerdictVersion, type VerdictWord } from "../chain/verdict/verdict.ts";
import { isPending, type Transaction } from "../contract/transaction/transaction.ts";
import { type Claim, type Claims, claimKey } from "./claims.ts";
import type { MinedNonce, MinedTransaction } from "./mined-nonce.ts";
import type { Unread } from "./nonce-chunks.ts";

export const NONCE_KINDS = [
  "recorded",
  "other_version",
  "canceled",
  "cancel_lost",
  "foreign",
  "doubled",
  "maybe_doubled",
  "gap",
  "unreadable",
] as const;

export type NonceKind = (typeof NONCE_KINDS)[number];

export interface AuditedNonce {
  nonce: bigint | null;
  kind: NonceKind;
  mined?: MinedTransaction;
  /** The hash of a transaction that the node does not show. */
  hash?: string | undefined;
  claim?: Claim | undefined;
  evidence: readonly string[];
}

const KINDS: Readonly<Partial<Record<VerdictWord, NonceKind>>> = {
  earlier_version: "other_version",
  canceled: "canceled",
  cancel_too_late: "cancel_lost",
  foreign: "foreign",
};

/** Milliseconds within which two equal transactions may be one payment. */
const HOUR = 3_600_000;

/** Creates a classifier of an account's transactions, which it gets in order. */
export function createNonceClassifier<T extends MinedTransaction>(
  judgeMined: (mined: T) => Judged,
): (read: T | Unread) => AuditedNonce {
  const findAlike = createAlikeSearch();
  const findSame = createIntentSearch();
  return (read) => {
    if ("why" in read)
      return { nonce: read.nonce, kind: "unreadable", hash: read.hash, evidence: [`node: ${read.why}`] };
    const alike = findAlike(read);
    const { kind, claim, isPresumed } = judgeMined(read);
    const evidence = ["chain", ...sourcesOf(claim), ...(isPresumed ? ["presumed"] : [])];
    const found = { nonce: read.nonce, mined: read, claim };
    const same = kind === "foreign" ? undefined : findSame(read, claim);
    if (same !== undefined) return { ...found, kind: "doubled", evidence: [...evidence, `same_intent:${same}`] };
    if (kind !== "recorded" || alike === undefined) return { ...found, kind, evidence };
    return { ...found, kind: "maybe_doubled", evidence: [...evidence, `alike:${alike}`] };
  };
}

function createIntentSearch(): (mined: MinedTransaction, claim: Claim | undefined) => Name | undefined {
  const intents = new Map<string, Name>();
  return (mined, claim) => {
    const intent = claim?.send?.intent;
    if (intent === undefined || !hasEffect(mined)) return undefined;
    const first = intents.get(intent);
    if (first === undefined) intents.set(intent, mined.nonce ?? mined.hash);
    return first;
  };
}

/** A transaction's nonce, or its hash without one. */
type Name = bigint | string;

/** Returns whether sending a transaction twice does something twice. */
function hasEffect(mined: MinedTransaction): boolean {
  return !mined.reverted && !isNoopVerdictVersion(mined, mined.from);
}

export interface Judged {
  kind: NonceKind;
  claim?: Claim;
  isPresumed?: boolean;
}

export function classifyNonce(claims: Claims, mined: MinedNonce): Judged {
  const judged = claims.at(mined.nonce).map((claim) => judgeNonce(mined, claim));
  const isOwn = ({ claim, isPresumed }: Judged) => !isPresumed && hasHash(claim, mined.hash);
  const best = judged.find(isOwn) ?? judged.find(({ kind }) => kind !== "foreign" && kind !== "other_version");
  const known = best ?? judged.find(({ kind }) => kind !== "foreign");
  if (known) return known;
  const claim = claims.take(mined);
  return claim ? judgeNonce(mined, claim) : { kind: "foreign" };
}

function hasHash(claim: Claim | undefined, hash: string): boolean {
  return claimRecords(claim).some((record) => hexHash(record.hash) === hash);
}

export function claimRecords({ record, send }: Claim = {}): Transaction[] {
  return [...(send?.records ?? []), ...(record ? [record] : [])];
}

function judgeNonce(mined: MinedNonce, claim: Claim): Judged {
  const [first, ...others] = claimRecords(claim);
  if (!first) return { kind: "foreign" };
  const { block, time, reverted } = mined;
  const transaction = { ...mined, maxFee: undefined, maxTip: undefined, gasPrice: undefined, gasLimit: undefined };
  const version = { transaction, block, reverted, hasReceipt: true, isKnown: hasHash(claim, mined.hash) };
  const chain = { hashes: new Map(), userTime: time, height: block, missing: [] };
  const known = { kind: "evm", chain, confirmations: 0n, isUnraised: false } as const;
  const { verdict, isPresumed } = verdictOfMined(version, { ...known, records: [first, ...others] });
  return { kind: KINDS[verdict] ?? "recorded", claim, ...(isPresumed && { isPresumed }) };
}

function sourcesOf({ record, send }: Claim = {}): string[] {
  return [...(record ? [`record:${record.id}`] : []), ...(send ? [`journal:${send.entry}`] : [])];
}

function createAlikeSearch(): (mined: MinedTransaction) => Name | undefined {
  const recent = new Map<string, MinedTransaction>();
  return (mined) => {
    if (!hasEffect(mined)) return undefined;
    for (const [key, { time }] of recent) {
      if (mined.time - time <= HOUR) break;
      recent.delete(key);
    }
    const key = claimKey(mined);
    const earlier = recent.get(key);
    recent.delete(key);
    recent.set(key, mined);
    return earlier && (earlier.nonce ?? earlier.hash);
  };
}

/** Returns unused nonces that later ones wait for, or that the service took for mined. @param first an unused one */
export function listNonceGaps(
  claims: Claims,
  { first, end }: { first: bigint; end: bigint | undefined },
): AuditedNonce[] {
  const gaps: AuditedNonce[] = [];
  const live = claims.live.filter((nonce) => end === undefined || nonce < end);
  const last = live.findLast((nonce) => nonce - first <= MOST_GAPS) ?? -1n;
  for (let nonce = first; nonce <= last; nonce++) {
    const known = claims.at(nonce);
    if (known.some(({ record }) => record && isPending(record))) continue;
    const [claim] = known;
    gaps.push({ nonce, kind: "gap", claim, evidence: ["chain", ...sourcesOf(claim)] });
  }
  for (const nonce of new Set(live.filter((each) => each > last && each >= first))) {
    const [claim] = claims.at(nonce);
    gaps.push({ nonce, kind: "unreadable", claim, evidence: [TOO_FAR, ...sourcesOf(claim)] });
  }
  return gaps;
}

/** A record whose nonce is further than this beyond the account's shows no gaps. */
const MOST_GAPS = 10_000n;
const TOO_FAR = `record: its nonce is more than ${MOST_GAPS} beyond the account's`;
