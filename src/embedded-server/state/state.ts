import type { JsonObject } from "../../contract/json.ts";
import { isFinal } from "../../contract/transaction/transaction.ts";
import { chainFromRecords, type SimChain } from "../chain/sim-chain.ts";
import type { Lifecycle } from "../lifecycle/lifecycle.ts";
import { seedFleetRelayers } from "../seed/fleet.ts";
import type { Faults } from "../worker/faults.ts";
import { type Collection, createCollection, type Resource } from "./collection.ts";

/** Every seed's networks, like a new service's, since every relayer needs one (facts 8.2). */
export const demoNetworks: readonly Resource[] = [
  evmNetwork("arbitrum-one", 42_161, 250, { tags: ["arbitrum-based"] }),
  evmNetwork("base", 8453, 2000, { tags: ["optimism-based"] }),
  evmNetwork("mainnet", 1, 12_000),
  evmNetwork("polygon", 137, 2000, { symbol: "POL" }),
  evmNetwork("sepolia", 11_155_111, 12_000, { is_testnet: true }),
  seedNetwork("solana", "devnet", { average_blocktime_ms: 400, is_testnet: true }),
  seedNetwork("solana", "mainnet-beta", { average_blocktime_ms: 400, is_testnet: false }),
  seedNetwork("stellar", "mainnet", {
    average_blocktime_ms: 5000,
    is_testnet: false,
    passphrase: "Public Global Stellar Network ; September 2015",
  }),
  seedNetwork("stellar", "testnet", {
    average_blocktime_ms: 5000,
    is_testnet: true,
    passphrase: "Test SDF Network ; September 2015",
  }),
];

/** On a network with tags like these, the service raises no prices (facts 15.2). */
function evmNetwork(
  name: string,
  chain_id: number,
  average_blocktime_ms: number,
  { is_testnet = false, tags, ...more }: JsonObject = {},
): Resource {
  return seedNetwork("evm", name, {
    average_blocktime_ms,
    is_testnet,
    ...(tags && { tags }),
    chain_id,
    required_confirmations: 1,
    features: ["eip1559"],
    symbol: "ETH",
    ...more,
  });
}

/** Returns a network as the running service does: URLs with a provider's key are not masked. */
function seedNetwork(network_type: string, name: string, fields: JsonObject): Resource {
  const rpc_urls = [{ url: `https://${network_type}-${name}.rpc.example.org/v2/ZGVtby1rZXk`, weight: 100 }];
  const explorer_urls = [`https://${network_type}-${name}.explorer.example.org`];
  return { id: `${network_type}:${name}`, name, network_type, rpc_urls, explorer_urls, ...fields };
}

/** The whole state of the embedded server. Notifications contain their `signing_key`, relayers their whole RPC URLs. */
export interface ServerState {
  /** The number of relayers that are generated from their position. */
  fleet: number;
  relayers: Collection;
  notifications: Collection;
  transactions: Collection;
  networks: Collection;
  /** As returned: secrets are not kept. */
  signers: Collection;
  plugins: Collection;
  /** The number of hashes given out, which determines the next. */
  hashes: number;
  lifecycles: Map<string, Lifecycle>;
  checks: Map<string, HealthCheck>;
  /** The sent and mined transactions by EVM network, whatever the records show (facts 13, 15, 16). */
  chains: Map<string, SimChain>;
  /** Never stored. */
  faults?: Faults;
  /** When prices begin to change (default: never); never stored. */
  pricesChangeSince?: number;
  /** When final records are deleted (default: never); never stored. */
  expiry?: Expiry;
  /** An incident's next events; never stored. */
  planned?: { due: number; take(state: ServerState, timestamp: number): void }[];
  /** The node at this URL shows an earlier chain; never stored. */
  stuckNode?: { url: string; chain: SimChain; since: number };
  /** Changes to notify about; storing the state empties it. */
  outbox: Update[];
}

/** The subject of a notification, and its time in milliseconds since 1970. */
export type Update = (
  | { transaction: Resource }
  | { disabled: Resource }
  | { enabled: Resource; retries: number }
  | { signed: JsonObject; relayerId: string }
) & { timestamp: number };

export interface KeptState {
  fleet?: number;
  relayers?: readonly Resource[];
  removed?: readonly string[];
  notifications?: readonly Resource[];
  transactions?: readonly Resource[];
  /** The networks (default: a new service's). */
  networks?: readonly Resource[];
  signers?: readonly Resource[];
  plugins?: readonly Resource[];
  hashes?: number;
  lifecycles?: readonly Lifecycle[];
  checks?: readonly HealthCheck[];
  /** The chains (default: chains that agree with the transactions). */
  chains?: readonly (readonly [network: string, chain: SimChain])[];
  /** For the default chains, by transaction ID: the sent version, if the record shows another one. */
  broadcast?: readonly Resource[];
}

export function createServerState(kept: KeptState): ServerState {
  const { fleet = 0, lifecycles = [], checks = [], chains, broadcast = [] } = kept;
  const state: ServerState = {
    fleet,
    relayers: createCollection(kept.relayers, seedFleetRelayers(fleet), kept.removed),
    notifications: createCollection(kept.notifications),
    transactions: createCollection(kept.transactions),
    networks: createCollection(kept.networks ?? demoNetworks),
    signers: createCollection(kept.signers),
    plugins: createCollection(kept.plugins),
    hashes: kept.hashes ?? 0,
    lifecycles: new Map(lifecycles.map((lifecycle) => [lifecycle.id, lifecycle])),
    checks: new Map(checks.map((check) => [check.id, check])),
    chains: new Map(chains),
    outbox: [],
  };
  return chains ? state : { ...state, chains: buildChains(state, broadcast) };
}

function buildChains(state: ServerState, broadcast: readonly Resource[]): ServerState["chains"] {
  const records = state.transactions
    .held()
    .filter(({ from }) => from !== undefined)
    .map((record) => ({
      record,
      network: stateNetworkId(state.relayers.get(String(record.relayer_id))),
      version: broadcast.find(({ id }) => id === record.id),
      isSent: record.status === "submitted" || (record.status === "sent" && state.lifecycles.has(record.id)),
    }));
  const networks = new Set(records.flatMap(({ network }) => network ?? []));
  return new Map(
    [...networks].map((id) => {
      const own = records.filter(({ network }) => network === id);
      return [id, chainFromRecords(own, stateBlockTime(state.networks.get(id)))];
    }),
  );
}

export function stateNetworkId(relayer: Resource | undefined): string | undefined {
  return relayer && `${String(relayer.network_type)}:${String(relayer.network)}`;
}

export function stateBlockTime(network: Resource | undefined): number {
  return Number(network?.average_blocktime_ms ?? 12_000);
}

/** When final records are deleted (facts 5.1). */
interface Expiry {
  /** Milliseconds after its end. */
  after: number;
  /** The times in milliseconds since 1970, by ID, the earliest first; undefined until the records were read. */
  due?: Map<string, number>;
}

/** Stores a changed transaction, and queues the notification of its relayer (facts 7.2). */
export function updateState(state: ServerState, transaction: Resource, timestamp: number): void {
  const { expiry } = state;
  if (expiry && isFinal(String(transaction.status))) expiry.due?.set(transaction.id, timestamp + expiry.after);
  state.transactions.put(transaction);
  state.outbox.push({ transaction, timestamp });
}

/** A pending health check of a disabled relayer. Without one it stays disabled, like the seed's relayers. */
export type HealthCheck = {
  id: string;
  /** The time of the check, in milliseconds since 1970. */
  due: number;
  retries: number;
};
