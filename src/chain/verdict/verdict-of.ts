import {
  isFinal,
  isNoopTx,
  isTransactionConsumed,
  isTransactionLiveAgain,
  type Transaction,
  txReason,
  txStatus,
} from "../../contract/transaction/transaction.ts";
import type { ChainTransaction } from "../evm/read-evm.ts";
import { missingStateText } from "../node/node.ts";
import { type Fees, feeList, feesInPool, feesOf, raisedFees } from "../replacement/fees.ts";
import { predictCapObstacle } from "../replacement/prediction.ts";
import type { Simulation } from "../simulation/simulate.ts";
import {
  hasSecondNonce,
  isVersionOf,
  type MinedVersion,
  minedIn,
  minedVersion,
  usesSameNonce,
  verdictOfMined,
  withSecondNonce,
} from "./mined-version.ts";
import {
  type ChainFacts,
  type Evidence,
  isNoopVerdictVersion,
  isSameVerdictVersion,
  type Stage,
  type Verdict,
  type VerdictWord,
  type Version,
  verdictVersion,
} from "./verdict.ts";
import { isNeverSigned, newestWanted, showsWantedExpiry, wantedOutcome } from "./wanted.ts";

const STAGES: Readonly<Record<string, Stage>> = { pending: "unsigned", mined: "mined", confirmed: "mined" };

/** Returns the verdict from records only. A record that may be wrong leaves it pending (facts 13, 15, 16). */
function verdictByRecord(evidence: Evidence): Finding {
  const newest = newestWanted(evidence);
  const stage = STAGES[txStatus(newest)] ?? "signed";
  const found = (verdict: VerdictWord, why: string): Finding => ({ verdict, why, stage, isByRecord: true });
  if (isFinal(txStatus(newest)) && hasSecondNonce(evidence)) return found("pending", UNSHOWN_NONCES);
  switch (txStatus(newest)) {
    case "confirmed":
      return confirmedByRecord(evidence, found);
    case "failed":
      return failedByRecord(evidence, found);
    case "canceled":
      return found("canceled", "the record reads canceled");
    case "expired":
      return found("expired", "the record reads expired");
    default:
      return evidence.isGone
        ? found("gone", "the record was deleted, and the chain was not asked")
        : { verdict: "pending", why: `the record reads ${txStatus(newest)}`, stage };
  }
}

const UNSHOWN_NONCES = "it was sent with two nonces, and only the chain shows which of them were mined";
const DOUBT = "the record reads confirmed, but only the chain shows which version was mined";

function confirmedByRecord(evidence: Evidence, found: Make): Finding {
  const newest = newestWanted(evidence);
  if (evidence.kind !== "evm") return found("confirmed", "the record reads confirmed");
  const wanted = wantedOutcome(evidence);
  const remembered = rememberedVersion(evidence);
  if (remembered && isOther(remembered, newest)) {
    // The record shows a hash that precedes its newest version (facts 13.2, 16.1).
    return wanted.kind === "cancellation"
      ? found("cancel_too_late", "the record has the hash of the original, which was mined")
      : found("earlier_version", "the record has the hash of an earlier version, which was mined");
  }
  const isShown = wanted.kind === "version" && !isOther(wanted.version, newest);
  if (!isShown || isTransactionLiveAgain(newest) || isNoopTx(newest)) return found("pending", DOUBT);
  const wasReplaced = evidence.records.some((record) => isOther(verdictVersion(record), newest));
  return wasReplaced && !remembered ? found("pending", DOUBT) : found("confirmed", "the record reads confirmed");
}

/** Returns the first version for which a record showed the newest record's hash (facts 5.5). */
function rememberedVersion({ records }: Evidence): Version | undefined {
  const hash = records[records.length - 1]?.hash?.toLowerCase();
  const first = records.slice(0, -1).find((record) => record.hash?.toLowerCase() === hash);
  return first && hash ? verdictVersion(first) : undefined;
}

function isOther(version: Version | undefined, record: Transaction): boolean {
  const recorded = verdictVersion(record);
  if (!version || !recorded) return false;
  const from = typeof record.from === "string" ? record.from : "";
  if (isNoopVerdictVersion(version, from) && isNoopVerdictVersion(recorded, from)) return false;
  return !isSameVerdictVersion(version, recorded);
}

function failedByRecord(evidence: Evidence, found: Make): Finding {
  const record = newestWanted(evidence);
  const isReverted = /reverted on-chain/i.test(txReason(record));
  if (evidence.kind === "evm" && !isNeverSigned(evidence)) {
    // The service fails a record at the first block, which a reorganization may undo, whichever version reverted.
    return isReverted
      ? found("pending", "the record reads reverted, but only the chain shows what stayed so")
      : found("pending", "the record reads failed, but a version of it may have been mined");
  }
  if (isReverted) return found("reverted", "the record reads reverted");
  return showsWantedExpiry(record)
    ? found("expired", "the record reads failed because it expired")
    : found("failed", "the record reads failed");
}

type Finding = Omit<Verdict, "missing">;

function verdictOfUnmined(evidence: Evidence, chain: ChainFacts): Finding {
  const found = verdictOfAbsent(evidence, chain);
  const isShown = found.verdict === "pending" && found.seen !== undefined;
  if (chain.delay === undefined || isShown || isNeverSigned(evidence)) return found;
  const { stage } = found;
  return { verdict: "pending", why: `${chain.delay}; what it does not show may be mined`, stage };
}

/** Returns the verdict if a node that does not lag shows nothing mined. */
function verdictOfAbsent(evidence: Evidence, chain: ChainFacts): Finding {
  const newest = newestWanted(evidence);
  const waiting = waitingIn(evidence, chain);
  const stage = stageReached(evidence, waiting);
  const found = (verdict: Finding["verdict"], why: string): Finding => ({
    verdict,
    why,
    stage,
    ...(waiting && { seen: minedVersion(waiting) }),
  });
  if (isNeverSigned(evidence))
    return evidence.isGone && !isFinal(txStatus(newest)) ? found("gone", GONE) : unsignedFinding(newest, found);
  if (waiting && isFinal(txStatus(newest)))
    return found("pending", `the record reads ${txStatus(newest)}, but ${waiting.hash} may still be mined`);
  switch (txStatus(newest)) {
    case "failed":
    case "expired":
      return failedFinding(newest, chain, found);
    case "canceled":
    case "confirmed":
      return found("pending", contradictionText(evidence, chain));
    default:
      return activeFinding(evidence, chain, found);
  }
}

type Make = (verdict: Finding["verdict"], why: string) => Finding;

const GONE = "the record was deleted, and the chain does not show its outcome";
const NO_USER = "the nonce was used, by which transaction is not known";

function unsignedFinding(record: Transaction, found: Make): Finding {
  switch (txStatus(record)) {
    case "canceled":
      return found("canceled", "it was canceled before it was signed");
    case "failed":
    case "expired":
      return showsWantedExpiry(record)
        ? found("expired", "it expired before it was signed")
        : found("failed", "it failed before it was signed");
    default:
      return found("pending", "it is not signed yet");
  }
}

function failedFinding(record: Transaction, { nonceUse, isQueued }: ChainFacts, found: Make): Finding {
  if (nonceUse?.state === "used") return found("pending", `the record reads ${txStatus(record)}, and ${NO_USER}`);
  if (nonceUse === undefined) return found("pending", "whether the chain used the nonce is not known");
  // A node that lags would show the same for a transaction that was mined.
  if (isTransactionConsumed(record))
    return found("pending", "the service found the nonce used, but the node shows it as unused");
  // The service gives up records without withdrawing what it sent (facts 5.1), perhaps under an unknown hash.
  if (isQueued)
    return found("pending", `the record reads ${txStatus(record)}, but a transaction with its nonce may be mined`);
  if (isQueued === undefined) return found("pending", "whether a transaction with the nonce waits is not known");
  return showsWantedExpiry(record)
    ? found("expired", "it expired, and nothing of it is on the chain")
    : found("failed", "it failed, and nothing of it is on the chain");
}

function contradictionText(evidence: Evidence, chain: ChainFacts): string {
  const status = txStatus(newestWanted(evidence));
  const { nonceUse } = chain;
  if (nonceUse?.state === "unused") return `the record reads ${status}, but the chain has not used its nonce`;
  if (nonceUse?.state === "used") return `${unknownHash(evidence, chain)}; ${NO_USER}`;
  return `the record reads ${status}, but ${unknownHash(evidence, chain)}`;
}

function activeFinding(evidence: Evidence, chain: ChainFacts, found: Make): Finding {
  const { stage } = found("pending", "");
  const never = stage === "broadcast" ? undefined : neverBroadcast(evidence, chain);
  if (never) {
    const { instead, obstacle } = never;
    const reason =
      obstacle === "cap"
        ? "the relayer's gas price cap is too low for a replacement"
        : "the service does not raise the price of a replacement on this network";
    return {
      ...found("never_broadcast", `${reason}; ${instead.hash} will be mined instead`),
      seen: minedVersion(instead),
      obstacle,
    };
  }
  const isShown = found("pending", "").seen !== undefined;
  if (evidence.isGone)
    return isShown
      ? found("pending", "the record was deleted, but its transaction waits to be mined")
      : found("gone", GONE);
  if (chain.nonceUse?.state === "used") return found("pending", NO_USER);
  return found("pending", isShown ? "it waits to be mined" : unknownHash(evidence, chain));
}

/** Returns what a node showed of the newest hash; a record can lose its hash (facts 15.9). */
function unknownHash({ records }: Evidence, { hashes }: ChainFacts): string {
  const last = records.map(({ hash }) => hash ?? "").findLast((hash) => hash !== "");
  const wasAsked = last !== undefined && hashes.has(last.toLowerCase());
  return wasAsked ? `the node does not know ${last}` : `whether a node knows ${last ?? "it"} is not known`;
}

/** Returns the least stage that the wanted version has reached. */
function stageReached(evidence: Evidence, waiting: ChainTransaction | undefined): Stage {
  if (isNeverSigned(evidence)) return "unsigned";
  if (!waiting) return "signed";
  const wanted = wantedOutcome(evidence);
  const isWanted =
    wanted.kind === "version"
      ? wanted.version !== undefined && isSameVerdictVersion(waiting, wanted.version)
      : isNoopVerdictVersion(waiting, waiting.from);
  return isWanted ? "broadcast" : "signed";
}

/** Its record may show a version that was not mined (facts 13.1, 13.2, 16.1) or never sent (facts 15.1, 15.2, 15.3). */
export function verdictOfEvidence(evidence: Evidence): Verdict {
  const { chain } = evidence;
  const missing = chain?.missing ?? [];
  if (!chain) return withExpiry({ missing, ...verdictByRecord(evidence) }, evidence);
  const [mined, ...more] = minedIn(evidence).filter((each) => !isOfAnother(each, evidence));
  const lie = mined && more.length > 0 ? TWICE : hasTwoNoncesOfOneHash(chain) ? TWO_NONCES : undefined;
  if (lie !== undefined) return { verdict: "pending", why: lie, stage: "signed", missing };
  const found = mined ? verdictOfMined(mined, evidence) : verdictOfUnmined(evidence, chain);
  return withReason(withExpiry({ missing, ...withSecondNonce(found, evidence, chain) }, evidence), evidence.replay);
}

/** Adds that the record expired, unless the verdict says so. */
export function withExpiry(found: Verdict, { isGone }: Pick<Evidence, "isGone">): Verdict {
  const isSaid = !isGone || found.why.includes("the record was deleted") || found.why.endsWith(EXPIRED_RECORD);
  return isSaid ? found : { ...found, why: `${found.why}; ${EXPIRED_RECORD}` };
}

export const EXPIRED_RECORD = "its record expired";

function withReason(found: Verdict, replay: Simulation | undefined): Verdict {
  if (found.verdict !== "reverted" || !replay) return found;
  const { reason, caveat } = replay;
  const doubt = reason ? caveat : noReason(replay);
  const missing = doubt === undefined ? found.missing : [...found.missing, doubt];
  return { ...found, ...(reason && { reason }), missing };
}

function noReason({ outcome, fault }: Simulation): string {
  if (outcome === "reverted") return "the reason is unknown: the node shows only that the call reverts";
  if (outcome === "succeeded")
    return "no reason was found: replayed at the block before its own, the transaction succeeds";
  return `the reason could not be read: ${fault ? missingStateText(fault) : "the node does not show it"}`;
}

const TWICE = "the node shows two transactions with one nonce, which is not believed";
const TWO_NONCES = "the node shows one transaction with two nonces, which is not believed";

/** Returns whether another transaction used the nonce of a transaction that ended unsigned (facts 16.3). */
function isOfAnother({ transaction }: MinedVersion, evidence: Evidence): boolean {
  const isOver = isFinal(txStatus(newestWanted(evidence)));
  return isOver && isNeverSigned(evidence) && !evidence.records.some((record) => isVersionOf(record, transaction));
}

function hasTwoNoncesOfOneHash({ hashes, nonceUse }: ChainFacts): boolean {
  const user = nonceUse?.state === "used" ? nonceUse.by : undefined;
  const known = user && hashes.get(user.hash)?.transaction;
  return known !== undefined && known.nonce !== user?.nonce;
}

/**
 * Returns why the version that a record shows will never be broadcast (facts 15.1, 15.2, 15.3). Its hash doesn't prove
 * anything: the hash in the response to a replacement is rarely sent (facts 16.2).
 */
function neverBroadcast(
  evidence: Evidence,
  chain: ChainFacts,
): { obstacle: NonNullable<Verdict["obstacle"]>; instead: ChainTransaction } | undefined {
  const newest = newestWanted(evidence);
  const version = verdictVersion(newest);
  const instead = waitingIn(evidence, chain);
  if (!["sent", "submitted"].includes(txStatus(newest)) || !version || !instead) return undefined;
  const isKnown = typeof newest.hash !== "string" || chain.hashes.get(newest.hash.toLowerCase()) !== null;
  if (isKnown || isSameVerdictVersion(version, instead) || wasShownBefore(version, evidence)) return undefined;
  const [price, old] = [feesOf(newest), feesInPool(instead)];
  if (!price || !old || feeList(old).some(([member]) => price[member] === undefined)) return undefined;
  if (evidence.isUnraised) {
    const isSent = isRaised(price, old) || isRaised(evidence.market ?? price, old);
    return isSent ? undefined : { obstacle: "network", instead };
  }
  // A cancellation is not capped.
  if (evidence.cap === undefined || isNoopTx(newest) || isSentAsItIs(newest, price, old)) return undefined;
  return predictCapObstacle(price, evidence.cap) && { obstacle: "cap", instead };
}

/** Returns whether the version is resent without a new price, since it may not have been sent (facts 5.1, 16.4). */
function isSentAsItIs(record: Transaction, price: Fees, old: Fees): boolean {
  return txStatus(record) === "sent" && isRaised(price, old);
}

/** Returns whether an earlier record shows the same version under another hash, which may have been sent. */
function wasShownBefore(version: Version, evidence: Evidence): boolean {
  const { hash } = newestWanted(evidence);
  return evidence.records.some((record) => {
    const shown = verdictVersion(record);
    return record.hash !== hash && shown !== undefined && isSameVerdictVersion(shown, version);
  });
}

function waitingIn(evidence: Evidence, { hashes }: ChainFacts): ChainTransaction | undefined {
  const newest = newestWanted(evidence);
  const waiting = [...hashes.values()].filter((found) => found && found.transaction.block === undefined);
  return waiting.map((found) => found?.transaction).find((each) => each && usesSameNonce(newest, each));
}

/** Returns whether a price replaces another, as far as both have the same members. */
function isRaised(fees: Fees, old: Fees): boolean {
  return feeList(raisedFees(old)).every(([member, least]) => (fees[member] ?? least) >= least);
}
