import type { JsonObject } from "../../../../src/contract/json.ts";

export interface State {
  relayers: Map<string, JsonObject>;
  notifications: Map<string, JsonObject>;
  transactions: Map<string, JsonObject>;
  signers: Map<string, JsonObject>;
  networks: Map<string, JsonObject>;
  plugins: Map<string, JsonObject>;
  /** How many replacements there were: each makes a new hash. */
  replaced: number;
  /** What the node of the relayers shows. */
  chain: { mined: JsonObject[]; height?: string };
}

export const MAX_U64 = 2n ** 64n - 1n;
export const ADDRESS = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
/** Who pays for the transaction that the tests send. */
const PAYER = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

export function newState(): State {
  return {
    relayers: byId([
      relayer("evm-1", "evm", { gas_price_cap: 100_000_000_000, min_balance: 1, gas_limit_estimation: true }),
      relayer("evm-2", "evm", { min_balance: 1 }),
      { ...relayer("sol-1", "solana", { min_balance: 10_000_000 }), address: PAYER },
      relayer("xlm-1", "stellar", { min_balance: 5, fee_payment_strategy: "relayer" }),
      relayer("evm-3", "evm", { min_balance: 1 }),
    ]),
    notifications: byId([
      { id: "hook-1", type: "webhook", url: "https://hooks.example.org/1", has_signing_key: true },
      { id: "hook-2", type: "webhook", url: "https://hooks.example.org/2", has_signing_key: false },
      { id: "hook-3", type: "webhook", url: "https://hooks.example.org/3", has_signing_key: false },
    ]),
    transactions: byId([
      evmTransaction(),
      { id: "tx-sol", status: "submitted", transaction: "AQAB", created_at: "2026-01-31T12:00:00Z" },
      stellarTransaction(),
    ]),
    signers: byId([
      { id: "signers-1", type: "aws_kms", config: { region: "eu-west-1", key_id: "k" } },
      { id: "signers-2", type: "local", config: {} },
    ]),
    networks: byId(["networks-1", "networks-2"].map(network)),
    plugins: byId(
      ["plugins-1", "plugins-2"].map((id) => ({
        id,
        path: `${id}.ts`,
        timeout: { secs: 300, nanos: 0 },
        emit_logs: false,
      })),
    ),
    replaced: 0,
    chain: { mined: [] },
  };
}

function relayer(id: string, network_type: string, policies: JsonObject): JsonObject {
  return {
    id,
    name: `Relayer ${id}`,
    network: "testnet",
    network_type,
    paused: id === "evm-2",
    policies,
    signer_id: "signer-1",
    notification_id: "hook-1",
    custom_rpc_urls: [{ url: "https://rpc.example.org/key", weight: 100 }],
    address: ADDRESS,
    system_disabled: false,
  };
}

function network(id: string): JsonObject {
  return { id, name: id, network_type: "evm", rpc_urls: [{ url: "https://rpc.example.org/key", weight: 100 }] };
}

function evmTransaction(): JsonObject {
  return {
    id: "tx-evm",
    relayer_id: "evm-1",
    status: "submitted",
    hash: hashOf(0),
    from: ADDRESS,
    to: ADDRESS,
    value: "1000",
    data: null,
    nonce: 7,
    gas_limit: 21_000,
    gas_price: null,
    max_fee_per_gas: "10000000000",
    max_priority_fee_per_gas: "1000000000",
    speed: "average",
    created_at: "2026-01-31T12:00:00Z",
  };
}

function stellarTransaction(): JsonObject {
  const facts = { status: "submitted", hash: hashOf(0).slice(2), source_account: "GACCOUNT", fee: 100 };
  return { id: "tx-xlm", relayer_id: "xlm-1", sequence_number: "12", created_at: "2026-01-31T12:00:00Z", ...facts };
}

export function hashOf(replaced: number): string {
  return `0x${replaced.toString(16).padStart(64, "0")}`;
}

function byId(things: readonly JsonObject[]): Map<string, JsonObject> {
  return new Map(things.map((thing) => [String(thing.id), thing]));
}
