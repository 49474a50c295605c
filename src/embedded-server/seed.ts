import { RelayctlError } from "../errors.ts";
import { LARGEST_FLEET } from "./seed/fleet.ts";
import { minedInstead, misleadingRecords } from "./seed/misleading.ts";
import { demoPlugins } from "./seed/plugins.ts";
import { queuedLifecycles, queuedRecords } from "./seed/queue.ts";
import { demoRelayers } from "./seed/relayers.ts";
import { demoSigners } from "./seed/signers.ts";
import { demoTransactions } from "./seed/transactions.ts";
import type { Resource } from "./state/collection.ts";
import { createState, type ServerState } from "./state/state.ts";

/**
 * Returns the initial state of a server: `demo`, a small team's relayers; `empty`; or `fleet:N`, N generated relayers.
 * @throws RelayctlError for any other word
 */
export function seedState(seed: string): ServerState {
  if (seed === "demo") return demoState();
  if (seed === "empty") return createState({});
  const fleet = Number(/^fleet:([1-9][0-9]*)$/.exec(seed)?.[1]);
  if (fleet <= LARGEST_FLEET) return createState({ fleet, notifications: demoNotifications, plugins: demoPlugins });
  throw new RelayctlError("usage", `no seed of this name; demo, empty, or fleet:N with N from 1 to ${LARGEST_FLEET}`);
}

function demoState(): ServerState {
  return createState({
    relayers: demoRelayers,
    notifications: demoNotifications,
    transactions: [...demoTransactions, ...misleadingRecords, ...queuedRecords],
    lifecycles: queuedLifecycles,
    broadcast: minedInstead,
    signers: demoSigners,
    plugins: demoPlugins,
    hashes: demoTransactions.length,
  });
}

/** The notifications of the demo seed; two of them sign their webhooks. */
const demoNotifications: readonly Resource[] = [
  {
    id: "audit-log",
    type: "webhook",
    url: "https://audit.example.org/relayer-events",
  },
  {
    id: "ops-hook",
    type: "webhook",
    url: "https://hooks.example.org/relayers/ops",
    signing_key: "demo-signing-key-of-the-ops-hook-0001",
  },
  {
    id: "treasury-hook",
    type: "webhook",
    url: "https://hooks.example.org/relayers/treasury",
    signing_key: "demo-signing-key-of-the-treasury-0001",
  },
];
