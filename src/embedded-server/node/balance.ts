import type { NetworkKind } from "../../contract/network-kind.ts";
import { heightAt } from "../chain/chain.ts";
import { chainOf, networkOf, rulesOf } from "../chain/chains.ts";
import { balanceChange } from "../chain/payments.ts";
import { demoBalances, demoRelayers } from "../seed/relayers.ts";
import type { Resource } from "../state/collection.ts";
import { networkIdOf, type ServerState } from "../state/state.ts";
import { kindOf } from "../transaction/lookup.ts";
import { isSame } from "./chain.ts";

/** Returns the balance of a relayer at a time, in its network's smallest unit. Only EVM networks have a chain here. */
export function balanceOf(state: ServerState, relayer: Resource, now: number): bigint {
  if (kindOf(relayer) !== "evm") return openingBalance(relayer);
  const height = heightAt(now, rulesOf(state, networkOf(state, relayer)).blockTime);
  return openingBalance(relayer) + computeChange(state, relayer, String(relayer.address), height);
}

export function balanceAt(state: ServerState, relayer: Resource, address: string, block: number): bigint {
  const isOwner = (each: Resource) => networkIdOf(each) === networkIdOf(relayer) && isSame(address, each.address);
  const owner = isOwner(relayer) ? relayer : state.relayers.held().find(isOwner);
  return (owner ? openingBalance(owner) : 0n) + computeChange(state, relayer, address, block);
}

function computeChange(state: ServerState, relayer: Resource, address: string, block: number): bigint {
  const network = networkOf(state, relayer);
  return balanceChange(chainOf(state, network), rulesOf(state, network), address.toLowerCase(), block);
}

/** The opening balances that are not those of the demo: 3 ETH, 3 SOL, and 30 XLM. */
const USUAL: Record<NetworkKind, bigint> = { evm: 3n * 10n ** 18n, solana: 3n * 10n ** 9n, stellar: 3n * 10n ** 8n };

/** Returns what an address has before anything is mined: nothing if its signer is `unfunded` (facts 16.5). */
function openingBalance(relayer: Resource): bigint {
  const { id, address, signer_id: signer } = relayer;
  if (/unfunded/i.test(String(signer))) return 0n;
  const seeded = demoRelayers.find((each) => each.id === id && each.address === address);
  return (seeded && demoBalances[seeded.id]) ?? USUAL[kindOf(relayer)];
}
