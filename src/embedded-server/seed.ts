import { RelayctlError } from "../errors.ts";
import type { Lifecycle } from "./lifecycle/lifecycle.ts";
import { LARGEST_FLEET } from "./seed/fleet.ts";
import { listMisleading } from "./seed/misleading.ts";
import { BASE, demoRelayers, MAIN_2 } from "./seed/relayers.ts";
import { demoPlugins, demoSigners } from "./seed/signers-and-plugins.ts";
import { evm, listTransactions, sentBefore } from "./seed/transactions.ts";
import type { Resource } from "./state/collection.ts";
import { createState, type ServerState } from "./state/state.ts";

/** The first of these hashes, far above the server's own. */
const FIRST_HASH = 910_000_000;

/** Returns what waits for eth-main-1's transaction with nonce 7, which pays less than the base fee. */
export function listQueued(start: number): readonly Resource[] {
  return [
    waiting(0, {
      id: "1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9",
      ...sentBefore(start, 160),
      to: BASE,
      value: "50000000000000000",
      nonce: 8,
      max_fee_per_gas: "28000000000",
      max_priority_fee_per_gas: "850000000",
      speed: "fast",
    }),
    // Its high price does not help it, and leaves no room below the relayer's cap of 80 gwei (facts 15.1).
    waiting(1, {
      id: "2b3c4d5e-6f70-4182-93a4-b5c6d7e8f90a",
      ...sentBefore(start, 140),
      to: MAIN_2,
      value: "100000000000000000",
      nonce: 9,
      max_fee_per_gas: "69565217391",
      max_priority_fee_per_gas: "2000000000",
    }),
    waiting(2, {
      id: "3c4d5e6f-7081-4293-a4b5-c6d7e8f90a1b",
      ...sentBefore(start, 125),
      to: "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
      value: "25000000000000000",
      nonce: 10,
      max_fee_per_gas: "28000000000",
      max_priority_fee_per_gas: "850000000",
      speed: "fast",
    }),
  ];
}

function waiting(number: number, fields: Resource): Resource {
  return evm(FIRST_HASH + number, { relayer_id: "eth-main-1", status: "submitted", ...fields });
}

/** Returns a server's first state: `demo`, `empty`, or `fleet:N`. @throws RelayctlError for any other word */
export function seedState(seed: string, start: number): ServerState {
  if (seed === "demo") return demoState(start);
  if (seed === "empty") return createState({});
  const fleet = Number(/^fleet:([1-9][0-9]*)$/.exec(seed)?.[1]);
  if (fleet <= LARGEST_FLEET) return createState({ fleet, notifications: demoNotifications, plugins: demoPlugins });
  throw new RelayctlError("usage", `no seed of this name; demo, empty, or fleet:N with N from 1 to ${LARGEST_FLEET}`);
}

function demoState(start: number): ServerState {
  const transactions = listTransactions(start);
  const misleading = listMisleading(start);
  const queued = listQueued(start);
  return createState({
    relayers: demoRelayers,
    notifications: demoNotifications,
    transactions: [...transactions, ...misleading.map(({ record }) => record), ...queued],
    lifecycles: queued.map(({ id }): Lifecycle => ({ id, next: "mined", due: 0 })),
    broadcast: misleading.flatMap(({ mined }) => mined ?? []),
    signers: demoSigners,
    plugins: demoPlugins,
    hashes: transactions.length,
  });
}

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
