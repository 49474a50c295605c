import { networkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isBeingCanceled } from "../../../contract/transaction/transaction-state.ts";

/** Why a freeze does not cancel a pending transaction. */
export type Obstacle =
  /** Its cancellation is in progress. */
  | "requested"
  /** The relayer was paused before, or is disabled: the service then refuses cancellations (facts 4.2). */
  | "paused"
  | "disabled"
  /** Solana refuses cancellations, and Stellar ignores them (facts 5.5). */
  | "kind"
  /** Nodes refuse the cancellation, while the record reads as canceled (facts 15.3). */
  | "network";

/** Returns why a pending transaction is not canceled, if so. @param isRefused whether nodes would refuse it */
export function obstacleOf(
  transaction: Transaction,
  relayer: Relayer | undefined,
  isRefused: boolean,
): Obstacle | undefined {
  if (isBeingCanceled(transaction)) return "requested";
  if (relayer?.paused === true) return "paused";
  if (relayer?.system_disabled === true) return "disabled";
  if (networkKind(relayer) !== "evm") return "kind";
  return isRefused ? "network" : undefined;
}
