import { fleetRelayers } from "../seed/fleet.ts";
import { type Collection, createCollection, type Resource } from "./collection.ts";

/** All that the embedded server knows. Notifications hold their `signing_key`, relayers their whole RPC URLs. */
export interface DemoState {
  /** How many relayers are generated from their position instead of held. */
  fleet: number;
  relayers: Collection;
  notifications: Collection;
  transactions: Collection;
  /** How many hashes were given out; the next one follows from it. */
  hashes: number;
}

/** What of a state must be kept. */
export interface KeptState {
  fleet?: number;
  relayers?: readonly Resource[];
  /** The generated relayers that were deleted, by their ids. */
  removed?: readonly string[];
  notifications?: readonly Resource[];
  transactions?: readonly Resource[];
  hashes?: number;
}

export function createState({
  fleet = 0,
  relayers,
  removed,
  notifications,
  transactions,
  hashes = 0,
}: KeptState): DemoState {
  return {
    fleet,
    relayers: createCollection(relayers, fleetRelayers(fleet), removed),
    notifications: createCollection(notifications),
    transactions: createCollection(transactions),
    hashes,
  };
}
