import { wireAmount } from "../../contract/amount.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { hexHash } from "../evm/quantity.ts";
import type { ChainTransaction, Receipt } from "../evm/read-evm.ts";
import {
  type ChainFacts,
  type Evidence,
  type HashFacts,
  isNoopVerdictVersion,
  isSameVerdictVersion,
  type SeenVersion,
  type Verdict,
  type Version,
  verdictVersion,
} from "./verdict.ts";
import { newestWanted, showsWantedExpiry, type WantedVersion, wantedOutcome } from "./wanted.ts";

export interface MinedVersion {
  transaction: ChainTransaction;
  block: bigint;
  reverted: boolean;
  /** Whether its receipt was read: without one, it may have reverted. */
  hasReceipt: boolean;
  isKnown: boolean;
}

/** Returns the mined transactions with the sender and nonce of the newest record: at most one, unless the node is wrong. */
export function minedIn(evidence: Evidence): MinedVersion[] {
  const { chain } = evidence;
  if (!chain) return [];
  const known = [...chain.hashes.values()].flatMap((found) => {
    const block = found?.receipt?.block ?? found?.transaction.block;
    if (!found || block === undefined || !usesSameNonce(newestWanted(evidence), found.transaction)) return [];
    return { transaction: found.transaction, block, ...minedOutcome(found.receipt), isKnown: true };
  });
  const { nonceUse, userReceipt } = chain;
  const user = nonceUse?.state === "used" ? nonceUse.by : undefined;
  if (user?.block === undefined || chain.hashes.has(user.hash)) return known;
  return [...known, { transaction: user, block: user.block, ...minedOutcome(userReceipt), isKnown: false }];
}

function minedOutcome(receipt: Receipt | undefined): Pick<MinedVersion, "reverted" | "hasReceipt"> {
  return { reverted: receipt?.reverted === true, hasReceipt: receipt !== undefined };
}

/** Returns whether a transaction has the sender and the nonce of a record, as far as the record shows them. */
export function usesSameNonce({ from, nonce }: Transaction, transaction: ChainTransaction): boolean {
  const recorded = wireAmount(nonce);
  const isSender = typeof from !== "string" || from.toLowerCase() === transaction.from;
  return isSender && (recorded === undefined || recorded === transaction.nonce);
}

export function verdictOfMined(mined: MinedVersion, evidence: Evidence): Omit<Verdict, "missing"> {
  const seen = minedVersion(mined.transaction, mined.block);
  if (!isMinedDeeply(mined, evidence)) {
    const wanted = wantedOutcome(evidence);
    const isWanted = showsWanted(mined, wanted, evidence);
    const lack = mined.hasReceipt ? "not deep enough yet" : RECEIPT_MISSING;
    const why = `${isWanted ? "it" : mined.transaction.hash} is mined, but ${lack}`;
    return { verdict: "pending", why, stage: isWanted ? "mined" : "signed", seen };
  }
  const { verdict, why, isPresumed, isByRecord } = settleMined(mined, evidence);
  const stage = showsWanted(mined, wantedOutcome(evidence), evidence) ? "mined" : "signed";
  return { verdict, why, stage, seen, ...(isPresumed && { isPresumed }), ...(isByRecord && { isByRecord }) };
}

const RECEIPT_MISSING = "its receipt is missing";

/** @param block of its receipt, if that was read */
export function minedVersion({ hash, to, value, data, ...shown }: ChainTransaction, block = shown.block): SeenVersion {
  return { hash, to, value, data, block };
}

/** In these statuses, the service has waited for enough blocks; a revert in the newest block reads as failed. */
const AWAITED: readonly string[] = ["confirmed", "canceled"];

/** Returns whether enough blocks follow, by the chain, or by a record with the same hash. */
function isMinedDeeply({ transaction, block, hasReceipt }: MinedVersion, evidence: Evidence): boolean {
  const { chain, confirmations, isStrict } = evidence;
  const newest = newestWanted(evidence);
  const height = chain?.height;
  // Without a receipt, a reorganization may have removed the block since it was read.
  if (hasReceipt && height !== undefined && height - block >= confirmations) return true;
  const isAwaited = AWAITED.includes(txStatus(newest)) && newest.hash?.toLowerCase() === transaction.hash;
  return !isStrict && isAwaited && (height === undefined || height >= block);
}

function showsWanted({ transaction }: MinedVersion, wanted: WantedVersion, evidence: Evidence): boolean {
  if (wanted.kind !== "version") return isNoopVerdictVersion(transaction, transaction.from);
  // A record without a value only shows its hash.
  if (!wanted.version) return transaction.hash === newestWanted(evidence).hash?.toLowerCase();
  return isSameVerdictVersion(transaction, wanted.version);
}

type Settled = Pick<Verdict, "verdict" | "why" | "isPresumed" | "isByRecord">;

function settleMined(mined: MinedVersion, evidence: Evidence): Settled {
  const wanted = wantedOutcome(evidence);
  if (!showsWanted(mined, wanted, evidence)) return otherVersion(mined, wanted, evidence);
  // A cancellation only has to use up the nonce.
  if (mined.reverted && wanted.kind === "version")
    return { verdict: "reverted", why: "it was mined and reverted: the nonce and the fee are spent" };
  if (!mined.hasReceipt) {
    const isRecorded = txStatus(newestWanted(evidence)) === "confirmed" && wanted.kind === "version";
    return isRecorded
      ? { verdict: "confirmed", why: `the record reads confirmed, but ${RECEIPT_MISSING}`, isByRecord: true }
      : { verdict: "pending", why: `it is mined, but ${RECEIPT_MISSING}` };
  }
  switch (wanted.kind) {
    case "cancellation":
      return { verdict: "canceled", why: "the cancellation is on the chain" };
    case "expiry":
      return { verdict: "expired", why: "it expired, and the no-op that replaced it is on the chain" };
    case "withdrawal":
      return { verdict: "failed", why: WITHDRAWN };
    case "version": {
      const isShown = mined.transaction.hash === newestWanted(evidence).hash?.toLowerCase();
      const what = isShown
        ? "the version that the record shows is on the chain"
        : "it is on the chain, with another hash";
      return { verdict: "confirmed", why: what };
    }
  }
}

const WITHDRAWN = "the no-op that the service replaced it with is on the chain";

const OTHER_VERSION = {
  cancellation: ["cancel_too_late", "the original was mined although a cancellation was accepted"],
  version: ["earlier_version", "a different version was mined than the record shows"],
} as const;
const PRESUMED_VERSION = "another transaction used its nonce, perhaps an earlier version of it";

function otherVersion(mined: MinedVersion, wanted: WantedVersion, evidence: Evidence): Settled {
  const { transaction } = mined;
  if (isNoopVerdictVersion(transaction, transaction.from)) return noopInstead(evidence);
  if (isForeign(mined, evidence)) {
    return { verdict: "foreign", why: "a transaction that is not a version of it used the nonce" };
  }
  const isVersion = mined.isKnown || evidence.records.some((record) => isVersionOf(record, transaction));
  const [verdict, why] = OTHER_VERSION[wanted.kind === "cancellation" ? "cancellation" : "version"];
  return isVersion ? { verdict, why } : { verdict, why: PRESUMED_VERSION, isPresumed: true };
}

export function isVersionOf(record: Transaction, transaction: Version): boolean {
  const version = verdictVersion(record);
  return version !== undefined && isSameVerdictVersion(version, transaction);
}

function noopInstead(evidence: Evidence): Settled {
  const newest = newestWanted(evidence);
  const wasCanceled = [...evidence.records].some(({ is_canceled }) => is_canceled === true);
  if (wasCanceled) return { verdict: "canceled", why: "its cancellation is on the chain instead" };
  if (showsWantedExpiry(newest))
    return { verdict: "expired", why: "it expired, and a no-op that took its nonce is on the chain" };
  if (txStatus(newest) === "failed") return { verdict: "failed", why: "it failed, and a no-op took its nonce" };
  const { wanted: _, ...recorded } = evidence;
  // The sender of the transaction requested something different from its record.
  if (wantedOutcome(recorded).kind === "withdrawal") return { verdict: "failed", why: WITHDRAWN };
  return { verdict: "earlier_version", why: "a no-op was mined in its place" };
}

/** Milliseconds by which the clocks of service and chain may differ. */
const CLOCK_SKEW = 15 * 60_000;

/**
 * Returns whether a transaction is proven not to be a version of the record: it belongs to another record, was mined
 * before this one was created, or all versions are known. Anything else may be an earlier version, and sending again
 * could pay twice.
 */
function isForeign({ transaction, isKnown }: MinedVersion, evidence: Evidence): boolean {
  const { others = [], chain, isComplete, records } = evidence;
  if (isKnown || records.some((record) => isVersionOf(record, transaction))) return false;
  if (others.some(({ id, hash }) => id !== records[0].id && hash?.toLowerCase() === transaction.hash)) return true;
  const created = receivedTime(records[0].created_at);
  if (chain?.userTime !== undefined && chain.userTime < created - CLOCK_SKEW) return true;
  return isComplete === true;
}

type Finding = Omit<Verdict, "missing">;

/** Returns whether records show a transaction with two nonces, so that it can be mined twice (facts 15.9). */
export function hasSecondNonce({ records }: Pick<Evidence, "records">): boolean {
  return new Set(records.flatMap(({ nonce }) => wireAmount(nonce) ?? [])).size > 1;
}

export function hashesWithSecondNonce(evidence: Pick<Evidence, "records">): string[] {
  const newest = wireAmount(newestWanted(evidence).nonce);
  return evidence.records.flatMap(({ nonce, hash }) => {
    const recorded = wireAmount(nonce);
    return recorded === undefined || newest === undefined || recorded === newest ? [] : (hexHash(hash) ?? []);
  });
}

/** The newest record only shows one nonce (facts 15.9): who sends again, or counts one payment, may be wrong. */
export function withSecondNonce(found: Finding, evidence: Evidence, chain: ChainFacts): Finding {
  const all = [...chain.hashes].flatMap(([hash, facts]) => findSecond(evidence, hash, facts) ?? []);
  const seconds = all.filter(({ reverted }) => !reverted);
  const mined = seconds.find(isMined);
  if (mined) return endFinding(found, evidence, mined);
  const [waiting] = seconds;
  const open = hashesWithSecondNonce(evidence).find((hash) => !chain.hashes.get(hash));
  if (waiting)
    return pendingFinding(found, `${nonceText(waiting)} waits to be mined, in addition to the record's nonce`);
  // A version under an unknown hash may have used the other nonce.
  if (open && found.verdict !== "confirmed")
    return pendingFinding(found, `it was also sent as ${open}, which may be mined`);
  const reverted = all.find(isMined);
  const isOver = found.verdict === "failed" || found.verdict === "expired";
  // After a reorganization, a reverted transaction may succeed.
  return reverted && isOver ? endFinding(found, evidence, reverted) : found;
}

/** A version with a different nonce than the record's. Its block is undefined while it waits. */
type Second = Omit<MinedVersion, "block"> & { block: bigint | undefined };

function isMined(second: Second): second is MinedVersion {
  return second.block !== undefined;
}

function findSecond(evidence: Evidence, hash: string, found: HashFacts | null): Second | undefined {
  if (!found) return undefined;
  const { transaction, receipt } = found;
  const newest = newestWanted(evidence);
  const nonce = wireAmount(newest.nonce);
  const isSender = typeof newest.from === "string" && newest.from.toLowerCase() === transaction.from;
  if (!isSender || nonce === undefined || nonce === transaction.nonce) return undefined;
  const isKnown = evidence.records.some((record) => hexHash(record.hash) === hash);
  if (!isKnown && !evidence.records.some((record) => isVersionOf(record, transaction))) return undefined;
  const { reverted, hasReceipt } = minedOutcome(receipt);
  if (isNoopVerdictVersion(transaction, transaction.from)) return undefined;
  return { transaction, block: receipt?.block ?? transaction.block, reverted, hasReceipt, isKnown };
}

function endFinding(found: Finding, evidence: Evidence, second: MinedVersion): Finding {
  const text = nonceText(second);
  if (!isMinedDeeply(second, evidence)) return pendingFinding(found, `${text} is mined, but not deep enough yet`);
  const { stage } = found;
  const seen = minedVersion(second.transaction, second.block);
  const shown = { stage, seen, ...(second.isKnown ? {} : ({ isPresumed: true } as const)) };
  const other = "with a different nonce from the record's";
  if (second.reverted) return { verdict: "reverted", why: `${text} was mined and reverted, ${other}`, ...shown };
  if (wantedOutcome(evidence).kind === "cancellation") {
    const why = `${text} was mined, with a different nonce from the cancellation's`;
    return { verdict: "cancel_too_late", why, ...shown };
  }
  const isTwice = found.verdict === "confirmed" || (found.verdict === "pending" && stage === "mined");
  const { hash, nonce } = newestWanted(evidence);
  const why = isTwice
    ? `it was mined twice: ${text}, and ${found.seen?.hash} with nonce ${nonce}`
    : `${text} was mined, and ${hash} with nonce ${nonce} may be mined as well`;
  const isOpen = isTwice || found.verdict === "pending" || found.verdict === "never_broadcast";
  return { verdict: "earlier_version", why: isOpen ? why : `${text} was mined, ${other}`, ...shown };
}

function nonceText({ transaction: { hash, nonce } }: Pick<MinedVersion, "transaction">): string {
  return `${hash} with nonce ${nonce}`;
}

function pendingFinding({ stage, seen }: Finding, why: string): Finding {
  return { verdict: "pending", why, stage, ...(seen && { seen }) };
}
