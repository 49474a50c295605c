import type { JsonObject } from "../../contract/json.ts";
import type { HealthCheck } from "../health/check.ts";
import type { Lifecycle } from "../lifecycle/lifecycle.ts";
import { fleetRelayers } from "../seed/fleet.ts";
import { storyNetworks } from "../seed/networks.ts";
import { type Collection, createCollection, type Resource } from "./collection.ts";

/** All that the embedded server knows. Notifications hold their `signing_key`, relayers their whole RPC URLs. */
export interface DemoState {
  /** How many relayers are generated from their position instead of held. */
  fleet: number;
  relayers: Collection;
  notifications: Collection;
  transactions: Collection;
  networks: Collection;
  /** How many hashes were given out; the next one follows from it. */
  hashes: number;
  /** What transactions still go through, by their ids. */
  lifecycles: Map<string, Lifecycle>;
  /** When disabled relayers are looked at again, by their ids. */
  checks: Map<string, HealthCheck>;
  /**
   * By the IDs of transactions: the version on the chain, if the record shows a later one that was not sent or lost
   * against it (facts 13.1, 13.2).
   */
  broadcast: Collection;
  /** What changed, for the notifications of the relayers; whoever stores the state empties it. */
  outbox: Update[];
}

/** What a notification is told of, and when it happened, in milliseconds since 1970. */
export type Update = (
  | { transaction: Resource }
  | { disabled: Resource }
  | { enabled: Resource; retries: number }
  | { signed: JsonObject; relayerId: string }
) & { timestamp: number };

/** What of a state must be kept. */
export interface KeptState {
  fleet?: number;
  relayers?: readonly Resource[];
  /** The generated relayers that were deleted, by their ids. */
  removed?: readonly string[];
  notifications?: readonly Resource[];
  transactions?: readonly Resource[];
  /** Those that a service comes with, unless said. */
  networks?: readonly Resource[];
  hashes?: number;
  lifecycles?: readonly Lifecycle[];
  checks?: readonly HealthCheck[];
  broadcast?: readonly Resource[];
}

export function createState({
  fleet = 0,
  relayers,
  removed,
  notifications,
  transactions,
  networks = storyNetworks,
  hashes = 0,
  lifecycles = [],
  checks = [],
  broadcast,
}: KeptState): DemoState {
  return {
    fleet,
    relayers: createCollection(relayers, fleetRelayers(fleet), removed),
    notifications: createCollection(notifications),
    transactions: createCollection(transactions),
    networks: createCollection(networks),
    hashes,
    lifecycles: new Map(lifecycles.map((lifecycle) => [lifecycle.id, lifecycle])),
    checks: new Map(checks.map((check) => [check.id, check])),
    broadcast: createCollection(broadcast),
    outbox: [],
  };
}
