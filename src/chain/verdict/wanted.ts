import {
  isNoopTx,
  isTxBeingCanceled,
  type Transaction,
  txReason,
  txStatus,
} from "../../contract/transaction/transaction.ts";
import { type Evidence, type Version, verdictVersion } from "./verdict.ts";

export type WantedVersion =
  | { kind: "version"; version: Version | undefined }
  | { kind: "cancellation" }
  /** The service's no-op in place of the transaction: because it expired, or for another reason. */
  | { kind: "expiry" | "withdrawal" };

const EXPIRED = /\bis expired\b/i;
const WITHDRAWN = /\bReplacing with NOOP\.?$/i;
const CANCELED = /canceled by user/i;

export function newestWanted({ records }: Pick<Evidence, "records">): Transaction {
  return records[records.length - 1] ?? records[0];
}

/**
 * Returns whether a transaction was never signed, so that nothing of it can be on the chain (facts 16.3). A record that
 * lost its hash was signed: it may be sent a second time (facts 15.9). A record without the member shows nothing.
 */
export function isNeverSigned({ records }: Pick<Evidence, "records">): boolean {
  return records.every(({ hash }) => hash === null || hash === "");
}

/** Returns whether a record shows that it expired: the status does not (facts 5.1). */
export function showsWantedExpiry(record: Transaction): boolean {
  return txStatus(record) === "expired" || EXPIRED.test(txReason(record));
}

export function wantedOutcome(evidence: Evidence): WantedVersion {
  const { wanted } = evidence;
  if (wanted === "cancellation") return { kind: "cancellation" };
  if (wanted) return { kind: "version", version: wanted };
  const newest = newestWanted(evidence);
  if (isCancellation(evidence)) return { kind: "cancellation" };
  if (isNoopTx(newest) && showsWantedExpiry(newest)) return { kind: "expiry" };
  if (isNoopTx(newest) && WITHDRAWN.test(txReason(newest))) return { kind: "withdrawal" };
  return { kind: "version", version: verdictVersion(newest) };
}

/**
 * Returns whether the newest record shows a cancellation. Services before v1.6 lack `is_canceled`: a no-op with the
 * reason of a cancellation counts, and a no-op without a reason in place of a transfer (facts 5.5).
 */
function isCancellation(evidence: Evidence): boolean {
  const newest = newestWanted(evidence);
  if (txStatus(newest) === "canceled" || isTxBeingCanceled(newest)) return true;
  if (typeof newest.is_canceled === "boolean" || !isNoopTx(newest)) return false;
  const wasTransfer = evidence.records.some((record) => verdictVersion(record) && !isNoopTx(record));
  return CANCELED.test(txReason(newest)) || (txReason(newest) === "" && wasTransfer);
}
