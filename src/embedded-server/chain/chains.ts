import type { Resource } from "../state/collection.ts";
import { blockTimeOf, networkIdOf, type ServerState } from "../state/state.ts";
import { type ChainRules, emptyChain, minedAtNonce, type SimChain, type SimMined } from "./chain.ts";
import { type PriceQuestion, priceHistory, type SimMarket, steadyMarket } from "./market.ts";

export function networkOf(state: ServerState, relayer: Resource): Resource {
  const id = String(networkIdOf(relayer));
  return state.networks.get(id) ?? { id };
}

export function rulesOf({ pricesChangeSince }: ServerState, network: Resource): ChainRules {
  return { blockTime: blockTimeOf(network), market: priceHistory(steadyMarket(network), pricesChangeSince) };
}

export function marketAt(state: ServerState, network: Resource, time: number): SimMarket {
  return rulesOf(state, network).market.at(time);
}

export function pricingAt(state: ServerState, relayer: Resource, time: number): Omit<PriceQuestion, "speed"> {
  const network = networkOf(state, relayer);
  return { market: marketAt(state, network, time), network, relayer };
}

export function chainOf(state: ServerState, network: Resource): SimChain {
  return state.chains.get(network.id) ?? emptyChain();
}

export function minedFor(state: ServerState, { relayer_id, from, nonce }: Resource): SimMined | undefined {
  const relayer = state.relayers.get(String(relayer_id));
  if (!relayer || typeof from !== "string" || typeof nonce !== "number") return undefined;
  return minedAtNonce(chainOf(state, networkOf(state, relayer)), from.toLowerCase(), nonce);
}
