import type { Resource } from "../state/collection.ts";
import { type ServerState, stateBlockTime, stateNetworkId } from "../state/state.ts";
import { marketHistory, type PriceQuestion, type SimMarket, steadyMarket } from "./market.ts";
import { type ChainRules, emptySimChain, type SimChain, type SimMined, simChainMinedAt } from "./sim-chain.ts";

export function chainNetwork(state: ServerState, relayer: Resource): Resource {
  const id = String(stateNetworkId(relayer));
  return state.networks.get(id) ?? { id };
}

export function chainRules({ pricesChangeSince }: ServerState, network: Resource): ChainRules {
  return { blockTime: stateBlockTime(network), market: marketHistory(steadyMarket(network), pricesChangeSince) };
}

export function chainMarket(state: ServerState, network: Resource, time: number): SimMarket {
  return chainRules(state, network).market.at(time);
}

export function chainPricing(state: ServerState, relayer: Resource, time: number): Omit<PriceQuestion, "speed"> {
  const network = chainNetwork(state, relayer);
  return { market: chainMarket(state, network, time), network, relayer };
}

export function chainOfNetwork(state: ServerState, network: Resource): SimChain {
  return state.chains.get(network.id) ?? emptySimChain();
}

export function chainMinedFor(state: ServerState, { relayer_id, from, nonce }: Resource): SimMined | undefined {
  const relayer = state.relayers.get(String(relayer_id));
  if (!relayer || typeof from !== "string" || typeof nonce !== "number") return undefined;
  return simChainMinedAt(chainOfNetwork(state, chainNetwork(state, relayer)), from.toLowerCase(), nonce);
}
