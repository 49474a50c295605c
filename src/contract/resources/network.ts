import type { JsonArray, JsonObject, JsonValue } from "../json.ts";
import { anything, listOf, nullish, object, text } from "../reply/shape.ts";

/** A network as the service returns it (facts 8.2). Its RPC URLs are complete, with any key in them. */
export type Network = NetworkFields & JsonObject;

/** The fields that commands read; only the ID is always present. */
export interface NetworkFields {
  /** Type and name: `evm:sepolia`. */
  id: string;
  name?: string | null;
  network_type?: string | null;
  rpc_urls?: JsonValue;
}

export const networkShape = object({
  id: text,
  name: nullish(text),
  network_type: nullish(text),
  rpc_urls: nullish(listOf(anything)),
});

/** The maximum weight of a network's RPC URL (facts 8.2). */
export const MAX_NETWORK_WEIGHT = 255;

/** Returns the entries of a list of RPC URLs; a bare URL becomes an entry without a weight (facts 8.2). */
export function asRpcConfigs(urls: JsonArray): JsonArray {
  return urls.map((entry) => (typeof entry === "string" ? { url: entry } : entry));
}
