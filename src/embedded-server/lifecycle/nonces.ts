import type { Resource } from "../state/collection.ts";
import type { DemoState } from "../state/state.ts";

/** facts 5.1: not yet on the chain, and not given up. */
export const UNDER_WAY: readonly string[] = ["pending", "sent", "submitted"];

export function isUnderWay({ status }: Resource): boolean {
  return UNDER_WAY.includes(String(status));
}

/** The transactions of one relayer, in no particular order. */
export function transactionsOf(state: DemoState, relayerId: string): Resource[] {
  return state.transactions.held().filter(({ relayer_id }) => relayer_id === relayerId);
}

/** The first nonce that no transaction of the relayer has. */
export function nextNonce(state: DemoState, relayerId: string): number {
  const taken = transactionsOf(state, relayerId).map(({ nonce }) => (typeof nonce === "number" ? nonce : -1));
  return Math.max(-1, ...taken) + 1;
}

/** The same for Stellar, whose sequence begins with the ledger in which the account was made. */
export function nextSequence(state: DemoState, relayerId: string): bigint {
  const taken = transactionsOf(state, relayerId).map(({ sequence_number }) => BigInt(String(sequence_number ?? 0)));
  const last = taken.reduce((most, number) => (number > most ? number : most), 2n ** 32n);
  return last + 1n;
}

/** Whether a lower nonce of the same relayer is still under way: until it is on the chain, no higher one can be. */
export function waitsForNonce(state: DemoState, { nonce, relayer_id }: Resource): boolean {
  if (typeof nonce !== "number") return false;
  return transactionsOf(state, String(relayer_id)).some(
    (other) => typeof other.nonce === "number" && other.nonce < nonce && isUnderWay(other),
  );
}
