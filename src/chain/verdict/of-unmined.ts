import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isConsumed, statusOf } from "../../contract/transaction/transaction-state.ts";
import type { ChainTransaction } from "../evm/transaction.ts";
import type { ChainFacts, Evidence } from "./evidence.ts";
import { neverBroadcast, waitingIn } from "./never-broadcast.ts";
import type { SeenVersion, Stage, Verdict } from "./verdict.ts";
import { isNoopVersion, isSameVersion } from "./version.ts";
import { isUnsigned, newestOf, showsExpiry, wantedOf } from "./wanted.ts";

type Finding = Omit<Verdict, "missing">;

/** Returns the verdict about a transaction of which the chain shows nothing that was mined. */
export function verdictOfUnmined(evidence: Evidence, chain: ChainFacts): Finding {
  const newest = newestOf(evidence);
  const waiting = waitingIn(evidence, chain);
  const stage = getStage(evidence, waiting);
  const found = (verdict: Finding["verdict"], why: string): Finding => ({
    verdict,
    why,
    stage,
    ...(waiting && { seen: seenWaiting(waiting) }),
  });
  if (isUnsigned(evidence)) return evidence.isGone && !isEnded(newest) ? found("gone", GONE) : unsigned(newest, found);
  if (waiting && isEnded(newest))
    return found("pending", `the record reads ${statusOf(newest)}, but ${waiting.hash} may still be mined`);
  switch (statusOf(newest)) {
    case "failed":
    case "expired":
      return failed(newest, chain, found);
    case "canceled":
    case "confirmed":
      return found("pending", contradiction(evidence, chain));
    default:
      return active(evidence, chain, found);
  }
}

type Make = (verdict: Finding["verdict"], why: string) => Finding;

const GONE = "the record was deleted, and the chain does not show what became of it";
const NO_USER = "the nonce was used, by which transaction is not known";

function isEnded(record: Transaction): boolean {
  return ["failed", "expired", "canceled", "confirmed"].includes(statusOf(record));
}

function unsigned(record: Transaction, found: Make): Finding {
  switch (statusOf(record)) {
    case "canceled":
      return found("canceled", "it was canceled before it was signed");
    case "failed":
    case "expired":
      return showsExpiry(record)
        ? found("expired", "it expired before it was signed")
        : found("failed", "it failed before it was signed");
    default:
      return found("pending", "it is not signed yet");
  }
}

function failed(record: Transaction, { nonceUse, isQueued }: ChainFacts, found: Make): Finding {
  if (nonceUse?.state === "used") return found("pending", `the record reads ${statusOf(record)}, and ${NO_USER}`);
  if (nonceUse === undefined) return found("pending", "whether the chain used the nonce is not known");
  // A node that lags would show the same for a transaction that was mined.
  if (isConsumed(record)) return found("pending", "the service found the nonce used, but the node shows it as unused");
  // The service gives up records without withdrawing what it sent (facts 5.1), perhaps under a hash that is not known.
  if (isQueued)
    return found("pending", `the record reads ${statusOf(record)}, but a transaction with its nonce may be mined`);
  if (isQueued === undefined) return found("pending", "whether a transaction with the nonce waits is not known");
  return showsExpiry(record)
    ? found("expired", "it expired, and nothing of it is on the chain")
    : found("failed", "it failed, and nothing of it is on the chain");
}

/** Returns how the chain contradicts a record that reads as if its transaction was mined. */
function contradiction(evidence: Evidence, chain: ChainFacts): string {
  const status = statusOf(newestOf(evidence));
  const { nonceUse } = chain;
  if (nonceUse?.state === "unused") return `the record reads ${status}, but the chain has not used its nonce`;
  if (nonceUse?.state === "used") return `${unknownHash(evidence, chain)}; ${NO_USER}`;
  return `the record reads ${status}, but ${unknownHash(evidence, chain)}`;
}

function active(evidence: Evidence, chain: ChainFacts, found: Make): Finding {
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
      seen: seenWaiting(instead),
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

/** Returns what a node showed of the newest hash; a record can lose its own (facts 15.9). */
function unknownHash({ records }: Evidence, { hashes }: ChainFacts): string {
  const last = records.map(({ hash }) => hash ?? "").findLast((hash) => hash !== "");
  const wasAsked = last !== undefined && hashes.has(last.toLowerCase());
  return wasAsked ? `the node does not know ${last}` : `whether a node knows ${last ?? "it"} is not known`;
}

/** Returns how far the wanted version has come, at least. */
function getStage(evidence: Evidence, waiting: ChainTransaction | undefined): Stage {
  if (isUnsigned(evidence)) return "unsigned";
  if (!waiting) return "signed";
  const wanted = wantedOf(evidence);
  const isWanted =
    wanted.kind === "version"
      ? wanted.version !== undefined && isSameVersion(waiting, wanted.version)
      : isNoopVersion(waiting, waiting.from);
  return isWanted ? "broadcast" : "signed";
}

function seenWaiting({ hash, to, value, data, block }: ChainTransaction): SeenVersion {
  return { hash, to, value, data, block };
}
