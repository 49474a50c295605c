import type { RevertReason } from "../simulation/revert-reason.ts";
import type { Version } from "./version.ts";

export type VerdictWord =
  /** The version that the record, or the request, asks for is on the chain, deep enough. */
  | "confirmed"
  | "reverted"
  /** The cancellation is on the chain, or the transaction was canceled before it was signed. */
  | "canceled"
  /** Failed, and nothing of it is on the chain. */
  | "failed"
  /** Expired, or replaced by the service's no-op for that reason, even if the status reads `confirmed`. */
  | "expired"
  /** The record shows a version that will never be sent (facts 15.1, 15.2, 15.3). */
  | "never_broadcast"
  /** The original was mined although a cancellation was accepted. */
  | "cancel_too_late"
  /** A different version than the record's was mined. */
  | "earlier_version"
  /** A transaction that is not a version of it used the nonce. */
  | "foreign"
  /** The record was deleted, and the chain does not settle it. */
  | "gone"
  /** None of these yet. */
  | "pending";

/** How far the version that the record, or the request, asks for has come. */
export type Stage = "unsigned" | "signed" | "broadcast" | "mined";

/** A transaction on the chain, or in the pool of its nodes. */
export interface SeenVersion extends Version {
  hash: string;
  /** Undefined while it waits to be mined. */
  block: bigint | undefined;
}

/** What became of a transaction, with the facts that show it. */
export interface Verdict {
  verdict: VerdictWord;
  /** One sentence without a period. */
  why: string;
  stage: Stage;
  /** The transaction that was mined, or for `never_broadcast` the transaction that will be mined instead. */
  seen?: SeenVersion;
  /**
   * What keeps the version of a `never_broadcast` from being sent: the relayer's cap, which a cancellation passes, or a
   * network without raised replacements, where a cancellation fails too (facts 15.1, 15.3).
   */
  obstacle?: "cap" | "network";
  /** Why it reverted, if a replay of the mined transaction shows it. */
  reason?: RevertReason;
  /** Set if only the record shows it, since the chain could not be asked. */
  isByRecord?: true;
  /** Set if the transaction that used the nonce is under none of the known hashes, and need not be a version of it. */
  isPresumed?: true;
  /** Why parts of the evidence are missing. */
  missing: readonly string[];
}
