import type { JsonArray, JsonObject, JsonValue } from "../json.ts";
import { type FieldTable, fieldsShape } from "./field.ts";
import type { Returned } from "./field-types.ts";

/** A network's shown fields (facts 8.2). New fields go last. */
export const networkFields = {
  /** Type and name: `evm:sepolia`. */
  id: { holds: "id", label: "id", table: 1, flat: true },
  name: { holds: "text", label: "name", flat: true },
  network_type: { holds: "text", label: "network type", flat: true },
  is_testnet: { holds: "anything", label: "is testnet", table: 4, flat: true },
  chain_id: { holds: "anything", label: "chain id", table: 2, flat: true },
  symbol: { holds: "anything", label: "symbol", table: 3, flat: true },
  required_confirmations: { holds: "anything", label: "required confirmations" },
  average_blocktime_ms: { holds: "anything", label: "average blocktime ms" },
  /** RpcConfigs, or bare URLs, the only changeable field: `networks update` has its own code. */
  rpc_urls: { holds: "list", label: "rpc urls", table: 5, flat: true },
  explorer_urls: { holds: "anything", label: "explorer urls" },
  features: { holds: "anything", label: "features" },
  tags: { holds: "anything", label: "tags", table: 6 },
  passphrase: { holds: "anything", label: "passphrase" },
  horizon_url: { holds: "anything", label: "horizon url" },
  /** After v1.8 (facts 15.10). */
  status_check: { holds: "anything", label: "status check" },
} as const satisfies FieldTable;

/** The documented fields; the declarations of the package write them out. */
type NetworkFields = Returned<typeof networkFields>;

/** A network as the service returns it. Its RPC URLs are complete, with any key in them. */
export type Network = NetworkFields & JsonObject;

export const networkShape = fieldsShape(networkFields);

/** The maximum weight of a network's RPC URL (facts 8.2). */
export const MAX_NETWORK_WEIGHT = 255;

/** Returns the service's ID of a network, which is in lowercase whatever its name is (facts 8.2). */
export function networkId(kind: JsonValue | undefined, name: JsonValue | undefined): string {
  return `${kind}:${name}`.toLowerCase();
}

/** Returns a list's RPC URLs as entries, without a weight for a bare URL (facts 8.2). */
export function networkRpcConfigs(urls: JsonArray): JsonArray {
  return urls.map((entry) => (typeof entry === "string" ? { url: entry } : entry));
}
