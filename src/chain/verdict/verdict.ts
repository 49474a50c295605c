import type { RevertReason } from "../simulation/revert-reason.ts";
import type { Version } from "./version.ts";

export type VerdictWord =
  /** The wanted version is on the chain, deep enough. */
  | "confirmed"
  | "reverted"
  /** The cancellation is on the chain, or the transaction was canceled before it was signed. */
  | "canceled"
  | "failed"
  /** Expired, or replaced by the service's no-op for that reason, even if the status reads `confirmed`. */
  | "expired"
  /** The record shows a version that will never be sent (facts 15.1, 15.2, 15.3). */
  | "never_broadcast"
  /** The original was mined although a cancellation was accepted. */
  | "cancel_too_late"
  | "earlier_version"
  /** A transaction that is not a version of it used the nonce. */
  | "foreign"
  /** The record was deleted, and the chain does not resolve it. */
  | "gone"
  | "pending";

/** How far the wanted version has come. */
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
  /** The mined transaction, or for `never_broadcast` the transaction that will be mined instead. */
  seen?: SeenVersion;
  /**
   * What prevents the broadcast of a `never_broadcast`: the relayer's cap, which doesn't apply to a cancellation, or a
   * network without raised replacements, where a cancellation fails, too (facts 15.1, 15.3).
   */
  obstacle?: "cap" | "network";
  /** From a replay of the mined transaction. */
  reason?: RevertReason;
  /** Set if only the record shows it, since the chain could not be asked. */
  isByRecord?: true;
  /** Set if the transaction that used the nonce has none of the known hashes, and need not be a version of it. */
  isPresumed?: true;
  missing: readonly string[];
}
