import { RelayctlError } from "../errors.ts";
import type { Lifecycle } from "./lifecycle/lifecycle.ts";
import { LARGEST_FLEET } from "./seed/fleet.ts";
import { BASE, demoRelayers, MAIN_1, MAIN_2 } from "./seed/relayers.ts";
import { demoPlugins, demoSigners } from "./seed/signers-and-plugins.ts";
import { evmSeedTransaction, listSeedTransactions, seedSentBefore, seedTimeBefore } from "./seed/transactions.ts";
import type { Resource } from "./state/collection.ts";
import { createServerState, type ServerState } from "./state/state.ts";

/** The first of these hashes, far above the server's own. */
const FIRST_MISLEADING = 900_000_000;

interface Misleading {
  record: Resource;
  /** The version that was mined instead, if any. */
  mined?: Resource;
}

/** Returns four misleading records, as operators of the service meet them. */
/** Base is a network without a bump: the replacement was never sent, and the original was mined (facts 15.2). */
function replacedOnBase(start: number): Misleading {
  const original = evmSeedTransaction(FIRST_MISLEADING, {
    id: "e5f60718-293a-4b4c-8d5e-6f708192a3b4",
    relayer_id: "base-hot",
    status: "confirmed",
    ...seedSentBefore(start, 232),
    to: MAIN_1,
    value: "20000000000000000",
    nonce: 0,
    max_fee_per_gas: "5000000000",
    max_priority_fee_per_gas: "850000000",
    speed: "fast",
  });
  const replacement = { value: "25000000000000000", ...hashMembers(1), status: "failed" };
  const status_reason = "Nonce 0 consumed externally (on-chain nonce: 1). No matching transaction hash found on-chain.";
  return { mined: original, record: { ...original, ...replacement, status_reason } };
}

/** A cancellation is never sent there either: it comes too late (facts 15.3). */
function canceledOnBase(start: number): Misleading {
  const original = evmSeedTransaction(FIRST_MISLEADING + 2, {
    id: "a1b2c3d4-e5f6-4718-a93a-4b5c6d7e8f90",
    relayer_id: "base-hot",
    status: "confirmed",
    ...seedSentBefore(start, 220),
    confirmed_at: seedTimeBefore(start, 219.5),
    to: MAIN_2,
    value: "40000000000000000",
    nonce: 1,
    max_fee_per_gas: "5000000000",
    max_priority_fee_per_gas: "850000000",
    speed: "fast",
  });
  const status_reason = "Transaction canceled by user, replacing with NOOP";
  const noop = { to: BASE, value: "0", data: "0x", status_reason, is_canceled: true };
  return { mined: original, record: { ...original, ...noop } };
}

/** The relayer's cap, 80 gwei, is below the replacement's price, so it is never sent (facts 15.1). */
function keptBackByCap(start: number): Misleading {
  const original = evmSeedTransaction(FIRST_MISLEADING + 3, {
    id: "7c8d9e0f-1a2b-4c3d-9e4f-5a6b7c8d9e0f",
    relayer_id: "eth-main-1",
    status: "confirmed",
    ...seedSentBefore(start, 235),
    to: MAIN_2,
    value: "300000000000000000",
    nonce: 5,
    max_fee_per_gas: "70000000000",
    max_priority_fee_per_gas: "1000000000",
    speed: "fast",
  });
  const prices = { max_fee_per_gas: "77000000000", max_priority_fee_per_gas: "1100000000" };
  const replacement = { value: "350000000000000000", ...hashMembers(4), ...prices, status: "submitted" };
  return { mined: original, record: { ...original, ...replacement } };
}

/** The receiver lacks a digit: the transaction has a nonce, and can never be signed (facts 16.3). */
function neverSigned(start: number): Resource {
  return evmSeedTransaction(FIRST_MISLEADING + 5, {
    id: "5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8d",
    relayer_id: "polygon-bulk",
    status: "pending",
    created_at: seedTimeBefore(start, 3.2),
    hash: null,
    to: "0x70997970c51812dc3a010c7d01b50e0d17dc79c",
    value: "1000000000000000000",
    nonce: 1_205,
    gas_price: "48000000000",
    speed: "fast",
    signature: null,
  });
}

function hashMembers(number: number): Pick<Resource, "hash" | "signature"> {
  const { hash = null, signature = null } = evmSeedTransaction(FIRST_MISLEADING + number, { id: "" });
  return { hash, signature };
}

/** The first of these hashes, far above the server's own. */
const FIRST_HASH = 910_000_000;

/** Returns what waits for eth-main-1's transaction with nonce 7, which pays less than the base fee. */
export function listSeedQueue(start: number): readonly Resource[] {
  return [
    waitingRecord(0, {
      id: "1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9",
      ...seedSentBefore(start, 160),
      to: BASE,
      value: "50000000000000000",
      nonce: 8,
      max_fee_per_gas: "28000000000",
      max_priority_fee_per_gas: "850000000",
      speed: "fast",
    }),
    // Its high price does not help it, and leaves no room below the relayer's cap of 80 gwei (facts 15.1).
    waitingRecord(1, {
      id: "2b3c4d5e-6f70-4182-93a4-b5c6d7e8f90a",
      ...seedSentBefore(start, 140),
      to: MAIN_2,
      value: "100000000000000000",
      nonce: 9,
      max_fee_per_gas: "69565217391",
      max_priority_fee_per_gas: "2000000000",
    }),
    waitingRecord(2, {
      id: "3c4d5e6f-7081-4293-a4b5-c6d7e8f90a1b",
      ...seedSentBefore(start, 125),
      to: "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
      value: "25000000000000000",
      nonce: 10,
      max_fee_per_gas: "28000000000",
      max_priority_fee_per_gas: "850000000",
      speed: "fast",
    }),
  ];
}

function waitingRecord(number: number, fields: Resource): Resource {
  return evmSeedTransaction(FIRST_HASH + number, { relayer_id: "eth-main-1", status: "submitted", ...fields });
}

/** Returns a server's first state: `demo`, `empty`, or `fleet:N`. @throws RelayctlError for any other word */
export function seedState(seed: string, start: number): ServerState {
  if (seed === "demo") return demoState(start);
  if (seed === "empty") return createServerState({});
  const fleet = Number(/^fleet:([1-9][0-9]*)$/.exec(seed)?.[1]);
  if (fleet <= LARGEST_FLEET)
    return createServerState({ fleet, notifications: demoNotifications, plugins: demoPlugins });
  throw new RelayctlError("usage", `no seed of this name; demo, empty, or fleet:N with N from 1 to ${LARGEST_FLEET}`);
}

function demoState(start: number): ServerState {
  const transactions = listSeedTransactions(start);
  const misleading = [
    replacedOnBase(start),
    canceledOnBase(start),
    keptBackByCap(start),
    { record: neverSigned(start) },
  ];
  const queued = listSeedQueue(start);
  return createServerState({
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
