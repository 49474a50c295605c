import { isFinal, statusOf } from "../../contract/transaction/transaction-state.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { verdictByRecord } from "./by-record.ts";
import type { ChainFacts, Evidence } from "./evidence.ts";
import { isVersionOf, type MinedVersion, minedIn, verdictOfMined } from "./of-mined.ts";
import { verdictOfUnmined } from "./of-unmined.ts";
import { withSecondNonce } from "./second-nonce.ts";
import type { Verdict } from "./verdict.ts";
import { isUnsigned, newestOf } from "./wanted.ts";

/**
 * Returns what became of a transaction, from all that is known about it. The record alone may be wrong: it may show a
 * version that was not mined (facts 13.1, 13.2, 16.1) or never sent (facts 15.1, 15.2, 15.3).
 */
export function verdictOf(evidence: Evidence): Verdict {
  const { chain } = evidence;
  const missing = chain?.missing ?? [];
  if (!chain) return withExpiry({ missing, ...verdictByRecord(evidence) }, evidence);
  const [mined, ...more] = minedIn(evidence).filter((each) => !isOfAnother(each, evidence));
  const lie = mined && more.length > 0 ? TWICE : hasTwoNoncesOfOneHash(chain) ? TWO_NONCES : undefined;
  if (lie !== undefined) return { verdict: "pending", why: lie, stage: "signed", missing };
  const found = mined ? verdictOfMined(mined, evidence) : verdictOfUnmined(evidence, chain);
  return withReason(withExpiry({ missing, ...withSecondNonce(found, evidence, chain) }, evidence), evidence.replay);
}

/** Says that the record expired, where that does not say it. */
export function withExpiry(found: Verdict, { isGone }: Pick<Evidence, "isGone">): Verdict {
  const isSaid = !isGone || found.why.includes("the record was deleted") || found.why.endsWith(EXPIRED_RECORD);
  return isSaid ? found : { ...found, why: `${found.why}; ${EXPIRED_RECORD}` };
}

/** What is said of a transaction whose record the service deleted. */
export const EXPIRED_RECORD = "its record expired";

/** Adds what a replay shows of the reason, or why it shows none. */
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
  return `the reason could not be read: ${fault?.words ?? "the node does not show it"}`;
}

const TWICE = "the node shows two transactions with one nonce, which is not believed";
const TWO_NONCES = "the node shows one transaction with two nonces, which is not believed";

/** Returns whether the nonce of a transaction that ended before it was signed was used by another one (facts 16.3). */
function isOfAnother({ transaction }: MinedVersion, evidence: Evidence): boolean {
  const isOver = isFinal(statusOf(newestOf(evidence)));
  return isOver && isUnsigned(evidence) && !evidence.records.some((record) => isVersionOf(record, transaction));
}

/** Returns whether the transaction that used the nonce has another nonce under its hash. */
function hasTwoNoncesOfOneHash({ hashes, nonceUse }: ChainFacts): boolean {
  const user = nonceUse?.state === "used" ? nonceUse.by : undefined;
  const known = user && hashes.get(user.hash)?.transaction;
  return known !== undefined && known.nonce !== user?.nonce;
}
