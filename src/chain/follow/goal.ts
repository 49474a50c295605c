import type { Verdict } from "../verdict/verdict.ts";
import type { Version } from "../verdict/version.ts";

export const GOALS = ["broadcast", "mined", "confirmed", "final"] as const;

export interface Goal {
  until: (typeof GOALS)[number];
  /** Blocks after its own until it counts as confirmed (default: the network's). */
  confirmations?: bigint | undefined;
}

export type FollowEnd =
  | "reached"
  | "unmet"
  | "mismatch"
  /** The record was deleted, and the chain does not resolve it. */
  | "gone"
  | "pending";

/** Returns how following ends with a verdict; undefined while the transaction is in progress. */
export function followEnd(
  { verdict, stage }: Verdict,
  { until }: Goal,
  wanted: Version | "cancellation" | undefined,
): FollowEnd | undefined {
  switch (verdict) {
    case "confirmed":
      return "reached";
    case "canceled":
      return wanted === "cancellation" ? "reached" : "unmet";
    case "reverted":
    case "failed":
    case "expired":
    case "never_broadcast":
      return "unmet";
    case "cancel_too_late":
    case "earlier_version":
    case "foreign":
      return "mismatch";
    case "gone":
      return "gone";
    case "pending":
      return until === "broadcast" && (stage === "broadcast" || stage === "mined") ? "reached" : undefined;
  }
}

export function needsChain({ until, confirmations }: Goal): boolean {
  return until === "final" || confirmations !== undefined;
}
