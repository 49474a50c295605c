import { isNetworkKind, type NetworkKind } from "../../contract/network-kind.ts";
import { isPending } from "../../contract/transaction/transaction.ts";
import { Refusal, transactionUnknown, wrongState } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";

/** Returns the relayer with this ID. @throws Refusal */
export function lookUpRelayer(state: ServerState, id: string): Resource {
  const relayer = state.relayers.get(id);
  if (!relayer) throw new Refusal(404, `Relayer with ID ${id} not found`);
  return relayer;
}

/** Returns a relayer that accepts work: neither paused nor disabled (facts 4.2). */
export function lookUpActiveRelayer(state: ServerState, id: string): Resource {
  const relayer = lookUpRelayer(state, id);
  refuseInactiveRelayer(relayer);
  return relayer;
}

/** Refuses a paused or disabled relayer, first the paused one (facts 1.9 and 4.2). */
export function refuseInactiveRelayer(relayer: Resource): void {
  if (relayer.paused === true) throw new Refusal(403, "Relayer paused");
  if (relayer.system_disabled === true) throw new Refusal(403, "Relayer disabled");
}

/** Returns the transaction. @throws Refusal */
export type FindTransaction = (state: ServerState, relayerId: string, id: string) => Resource;

export const ownTransaction: FindTransaction = (state, relayerId, id) => {
  const transaction = anyTransaction(state, relayerId, id);
  if (transaction.relayer_id !== relayerId) throw transactionUnknown(id);
  return transaction;
};

/** Finds a transaction of any relayer: the real service does not check (facts 3.4). */
export const anyTransaction: FindTransaction = (state, _, id) => {
  const transaction = state.transactions.get(id);
  if (!transaction) throw transactionUnknown(id);
  return transaction;
};

/** Refuses an action on a final transaction (facts 5.4, 5.5). @throws Refusal */
export function refuseFinalTransaction(transaction: Resource, action: "replace" | "cancel"): void {
  if (!isPending(transaction)) throw wrongState(action, String(transaction.status));
}

export function servedKind(relayer: Resource): NetworkKind {
  if (isNetworkKind(relayer.network_type)) return relayer.network_type;
  throw new Error("a relayer without a known network type");
}
