import type { JsonObject } from "../../contract/json.ts";
import type { HealthCheck } from "../health/check.ts";
import type { Lifecycle } from "../lifecycle/lifecycle.ts";
import { fleetRelayers } from "../seed/fleet.ts";
import { demoNetworks } from "../seed/networks.ts";
import { type Collection, createCollection, type Resource } from "./collection.ts";

/** The whole state of the embedded server. Notifications contain their `signing_key`, relayers their whole RPC URLs. */
export interface ServerState {
  /** The number of relayers that are generated from their position. */
  fleet: number;
  relayers: Collection;
  notifications: Collection;
  transactions: Collection;
  networks: Collection;
  /** The number of hashes given out, from which the next one follows. */
  hashes: number;
  /** The remaining steps of transactions, by ID. */
  lifecycles: Map<string, Lifecycle>;
  /** The next health checks of disabled relayers, by ID. */
  checks: Map<string, HealthCheck>;
  /**
   * By transaction ID: the version on the chain, if the record shows a later one that was not sent or lost against it
   * (facts 13.1, 13.2).
   */
  broadcast: Collection;
  /** Changes to notify about; the code that stores the state empties it. */
  outbox: Update[];
}

/** The subject of a notification, and its time in milliseconds since 1970. */
export type Update = (
  | { transaction: Resource }
  | { disabled: Resource }
  | { enabled: Resource; retries: number }
  | { signed: JsonObject; relayerId: string }
) & { timestamp: number };

/** The part of a state that must be stored. */
export interface KeptState {
  fleet?: number;
  relayers?: readonly Resource[];
  /** The IDs of deleted generated relayers. */
  removed?: readonly string[];
  notifications?: readonly Resource[];
  transactions?: readonly Resource[];
  /** The networks (default: those of a new service). */
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
  networks = demoNetworks,
  hashes = 0,
  lifecycles = [],
  checks = [],
  broadcast,
}: KeptState): ServerState {
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

/** Stores a changed transaction, and queues the notification of its relayer (facts 7.2). */
export function update(state: ServerState, transaction: Resource, timestamp: number): void {
  state.transactions.put(transaction);
  state.outbox.push({ transaction, timestamp });
}
