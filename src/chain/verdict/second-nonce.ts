import { wireAmount } from "../../contract/amount.ts";
import { hashOf } from "../evm/quantity.ts";
import type { ChainFacts, Evidence, HashFacts } from "./evidence.ts";
import { isMinedDeeply, isVersionOf, type MinedVersion, minedOutcome, minedVersion } from "./mined-version.ts";
import { isNoopVerdictVersion, type Verdict } from "./verdict.ts";
import { newestWanted, wantedOutcome } from "./wanted.ts";

type Finding = Omit<Verdict, "missing">;

/** Returns whether records show a transaction with two nonces, so that it can be mined twice (facts 15.9). */
export function hasSecondNonce({ records }: Pick<Evidence, "records">): boolean {
  return new Set(records.flatMap(({ nonce }) => wireAmount(nonce) ?? [])).size > 1;
}

export function hashesWithSecondNonce(evidence: Pick<Evidence, "records">): string[] {
  const newest = wireAmount(newestWanted(evidence).nonce);
  return evidence.records.flatMap(({ nonce, hash }) => {
    const recorded = wireAmount(nonce);
    return recorded === undefined || newest === undefined || recorded === newest ? [] : (hashOf(hash) ?? []);
  });
}

/** The newest record only shows one nonce (facts 15.9): who sends again, or counts one payment, may be wrong. */
export function withSecondNonce(found: Finding, evidence: Evidence, chain: ChainFacts): Finding {
  const all = [...chain.hashes].flatMap(([hash, facts]) => findSecond(evidence, hash, facts) ?? []);
  const seconds = all.filter(({ reverted }) => !reverted);
  const mined = seconds.find(isMined);
  if (mined) return ended(found, evidence, mined);
  const [waiting] = seconds;
  const open = hashesWithSecondNonce(evidence).find((hash) => !chain.hashes.get(hash));
  if (waiting) return pending(found, `${nonceText(waiting)} waits to be mined, in addition to the record's nonce`);
  // A version under an unknown hash may have used the other nonce.
  if (open && found.verdict !== "confirmed") return pending(found, `it was also sent as ${open}, which may be mined`);
  const reverted = all.find(isMined);
  const isOver = found.verdict === "failed" || found.verdict === "expired";
  // After a reorganization, a reverted transaction may succeed.
  return reverted && isOver ? ended(found, evidence, reverted) : found;
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
  const isKnown = evidence.records.some((record) => hashOf(record.hash) === hash);
  if (!isKnown && !evidence.records.some((record) => isVersionOf(record, transaction))) return undefined;
  const { reverted, hasReceipt } = minedOutcome(receipt);
  if (isNoopVerdictVersion(transaction, transaction.from)) return undefined;
  return { transaction, block: receipt?.block ?? transaction.block, reverted, hasReceipt, isKnown };
}

function ended(found: Finding, evidence: Evidence, second: MinedVersion): Finding {
  const text = nonceText(second);
  if (!isMinedDeeply(second, evidence)) return pending(found, `${text} is mined, but not deep enough yet`);
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

function pending({ stage, seen }: Finding, why: string): Finding {
  return { verdict: "pending", why, stage, ...(seen && { seen }) };
}
