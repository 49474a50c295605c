import type { Resource } from "../state/collection.ts";
import { blockTimeOf, networkIdOf, type ServerState } from "../state/state.ts";
import { type Chain, type ChainRules, emptyChain, type MinedTransaction, minedAt } from "./chain.ts";
import { marketOf } from "./market.ts";

/** Returns the network of a relayer. */
export function networkOf(state: ServerState, relayer: Resource): Resource {
  const id = String(networkIdOf(relayer));
  return state.networks.get(id) ?? { id };
}

export function rulesOf(network: Resource): ChainRules {
  return { blockTime: blockTimeOf(network), market: marketOf(network) };
}

export function chainOf(state: ServerState, network: Resource): Chain {
  return state.chains.get(network.id) ?? emptyChain();
}

/** Returns the transaction that used the nonce of a record, whichever version it is. */
export function minedFor(state: ServerState, { relayer_id, from, nonce }: Resource): MinedTransaction | undefined {
  const relayer = state.relayers.get(String(relayer_id));
  if (!relayer || typeof from !== "string" || typeof nonce !== "number") return undefined;
  return minedAt(chainOf(state, networkOf(state, relayer)), from.toLowerCase(), nonce);
}
