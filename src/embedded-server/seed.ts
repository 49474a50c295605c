import { RelayctlError } from "../errors.ts";
import { LARGEST_FLEET } from "./seed/fleet.ts";
import { storyNotifications } from "./seed/notifications.ts";
import { storyRelayers } from "./seed/relayers.ts";
import { storyTransactions } from "./seed/transactions.ts";
import { createState, type DemoState } from "./state/state.ts";

/**
 * Returns the initial state of a server: `demo`, a small team's relayers; `empty`; or `fleet:N`, N generated relayers.
 * @throws RelayctlError for any other word
 */
export function seedState(seed: string): DemoState {
  if (seed === "demo") return storyState();
  if (seed === "empty") return createState({});
  const fleet = Number(/^fleet:([1-9][0-9]*)$/.exec(seed)?.[1]);
  if (fleet <= LARGEST_FLEET) return createState({ fleet, notifications: storyNotifications });
  throw new RelayctlError("usage", `no seed of this name; demo, empty, or fleet:N with N from 1 to ${LARGEST_FLEET}`);
}

function storyState(): DemoState {
  return createState({
    relayers: storyRelayers,
    notifications: storyNotifications,
    transactions: storyTransactions,
    hashes: storyTransactions.length,
  });
}
