import type { JsonObject } from "../../contract/json.ts";
import type { JsonRpcNode } from "../../contract/json-rpc.ts";
import { chainNetwork } from "../chain/network-chains.ts";
import type { Lifecycle } from "../lifecycle/lifecycle.ts";
import { nextNonceNumber } from "../lifecycle/numbers.ts";
import { type ServerState, updateState } from "../state/state.ts";
import type { ServerStore } from "../state/store.ts";
import type { Faults } from "../worker/faults.ts";
import type { ServerClock, ServerRandom } from "../world.ts";
import type { LocalKey } from "./key.ts";

export interface RealChain {
  node: JsonRpcNode;
  key: LocalKey;
  chainId: number;
  /** How many transactions the address had sent when the server started. */
  firstNonce: number;
}

export interface ChainWorld extends RealChain {
  store: ServerStore;
  clock: Pick<ServerClock, "now" | "sleep">;
  random: Pick<ServerRandom, "uuid">;
  faults: Faults | undefined;
  /** The hashes that were broadcast for each record: the service keeps them, and shows the last. */
  broadcast: Map<string, string[]>;
}

export type DueTask = NonNullable<ReturnType<typeof findChainJob>>;

export function findChainJob(state: ServerState, lifecycle: Lifecycle) {
  const record = state.transactions.get(lifecycle.id);
  const relayer = state.relayers.get(String(record?.relayer_id));
  return record && relayer && { record, relayer, network: chainNetwork(state, relayer), lifecycle };
}

/** Returns the relayer's next nonce: its own counter, which only starts with the chain's (facts 15.7). */
export function getNextChainNonce(
  state: ServerState,
  { firstNonce }: Pick<RealChain, "firstNonce">,
  relayerId: string,
): number {
  return Math.max(firstNonce, nextNonceNumber(state, relayerId));
}

/** Stores a step's changes, unless a request changed the record meanwhile; a final one has no `following`. */
export async function settle(
  { store, clock }: ChainWorld,
  { record }: DueTask,
  changes: JsonObject,
  following: Lifecycle | undefined,
): Promise<void> {
  await store.change((state) => {
    if (state.transactions.get(record.id) !== record) return;
    const changed = { ...record, ...changes };
    if (changed.status === record.status) state.transactions.put(changed);
    else updateState(state, changed, clock.now());
    if (following) state.lifecycles.set(record.id, following);
    else state.lifecycles.delete(record.id);
  });
}
