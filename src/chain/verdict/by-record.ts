import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isFinal, isLiveAgain, isNoop, reasonOf, statusOf } from "../../contract/transaction/transaction-state.ts";
import type { Evidence } from "./evidence.ts";
import { hasTwoNonces } from "./second-nonce.ts";
import type { Stage, Verdict, VerdictWord } from "./verdict.ts";
import { isNoopVersion, isSameVersion, type Version, versionOf } from "./version.ts";
import { isUnsigned, newestOf, showsExpiry, wantedOf } from "./wanted.ts";

type Finding = Omit<Verdict, "missing">;

const STAGES: Readonly<Record<string, Stage>> = { pending: "unsigned", mined: "mined", confirmed: "mined" };

/** Returns the verdict from records only. A record that may be wrong leaves it pending (facts 13, 15, 16). */
export function verdictByRecord(evidence: Evidence): Finding {
  const newest = newestOf(evidence);
  const stage = STAGES[statusOf(newest)] ?? "signed";
  const found = (verdict: VerdictWord, why: string): Finding => ({ verdict, why, stage, isByRecord: true });
  if (isFinal(statusOf(newest)) && hasTwoNonces(evidence)) return found("pending", TWO_NONCES);
  switch (statusOf(newest)) {
    case "confirmed":
      return confirmed(evidence, found);
    case "failed":
      return failed(evidence, found);
    case "canceled":
      return found("canceled", "the record reads canceled");
    case "expired":
      return found("expired", "the record reads expired");
    default:
      return evidence.isGone
        ? found("gone", "the record was deleted, and the chain could not be asked")
        : { verdict: "pending", why: `the record reads ${statusOf(newest)}`, stage };
  }
}

type Make = (verdict: VerdictWord, why: string) => Finding;

const TWO_NONCES = "it was sent with two nonces, and only the chain shows which of them were mined";
const DOUBT = "the record reads confirmed, but only the chain shows which version was mined";

function confirmed(evidence: Evidence, found: Make): Finding {
  const newest = newestOf(evidence);
  if (evidence.kind !== "evm") return found("confirmed", "the record reads confirmed");
  const wanted = wantedOf(evidence);
  const remembered = rememberedVersion(evidence);
  if (remembered && isOther(remembered, newest)) {
    // The record shows a hash that precedes its newest version (facts 13.2, 16.1).
    return wanted.kind === "cancellation"
      ? found("cancel_too_late", "the record has the hash of the original, which was mined")
      : found("earlier_version", "the record has the hash of an earlier version, which was mined");
  }
  const isShown = wanted.kind === "version" && !isOther(wanted.version, newest);
  if (!isShown || isLiveAgain(newest) || isNoop(newest)) return found("pending", DOUBT);
  const wasReplaced = evidence.records.some((record) => isOther(versionOf(record), newest));
  return wasReplaced && !remembered ? found("pending", DOUBT) : found("confirmed", "the record reads confirmed");
}

/** Returns the first version for which a record showed the newest record's hash (facts 5.5). */
function rememberedVersion({ records }: Evidence): Version | undefined {
  const hash = records[records.length - 1]?.hash?.toLowerCase();
  const first = records.slice(0, -1).find((record) => record.hash?.toLowerCase() === hash);
  return first && hash ? versionOf(first) : undefined;
}

function isOther(version: Version | undefined, record: Transaction): boolean {
  const recorded = versionOf(record);
  if (!version || !recorded) return false;
  const from = typeof record.from === "string" ? record.from : "";
  if (isNoopVersion(version, from) && isNoopVersion(recorded, from)) return false;
  return !isSameVersion(version, recorded);
}

function failed(evidence: Evidence, found: Make): Finding {
  const record = newestOf(evidence);
  const isReverted = /reverted on-chain/i.test(reasonOf(record));
  if (evidence.kind === "evm" && !isUnsigned(evidence)) {
    // The service fails a record at the first block, which a reorganization may undo, whichever version reverted.
    return isReverted
      ? found("pending", "the record reads reverted, but only the chain shows what stayed so")
      : found("pending", "the record reads failed, but a version of it may have been mined");
  }
  if (isReverted) return found("reverted", "the record reads reverted");
  return showsExpiry(record)
    ? found("expired", "the record reads failed because it expired")
    : found("failed", "the record reads failed");
}
