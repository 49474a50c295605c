import type { JsonObject } from "../../contract/json.ts";
import { chainNetwork, chainOfNetwork } from "../chain/network-chains.ts";
import { simAccount } from "../chain/sim-chain.ts";
import { evmSignatureDigits, hashDigits } from "../digits.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";

export function transactionsOf(state: ServerState, relayerId: string): Resource[] {
  return state.transactions.held().filter(({ relayer_id }) => relayer_id === relayerId);
}

export function nextNonceNumber(state: ServerState, relayerId: string): number {
  const taken = transactionsOf(state, relayerId).map(({ nonce }) => (typeof nonce === "number" ? nonce : -1));
  const relayer = state.expiry && state.relayers.get(relayerId);
  // The chain also has the nonces of expired records.
  const used = relayer
    ? simAccount(chainOfNetwork(state, chainNetwork(state, relayer)), String(relayer.address).toLowerCase()).nonce
    : 0;
  return Math.max(used, Math.max(-1, ...taken) + 1);
}

/** Returns the next Stellar sequence number, which begins with the ledger of the account's creation. */
export function nextSequenceNumber(state: ServerState, relayerId: string): bigint {
  const taken = transactionsOf(state, relayerId).map(({ sequence_number }) => BigInt(String(sequence_number ?? 0)));
  const last = taken.reduce((most, number) => (number > most ? number : most), 2n ** 32n);
  return last + 1n;
}

export function nextHashAndSignature(state: ServerState): JsonObject {
  const number = nextHashNumber(state);
  return { hash: hashDigits("evm", number), signature: evmSignatureDigits(number) };
}

export function nextHashNumber(state: ServerState): number {
  state.hashes += 1;
  return state.hashes;
}
