import type { Client } from "../../../client/client.ts";
import type { JsonValue } from "../../../contract/json.ts";

/** Sends a request to a node, and returns the `result` of its response. */
export type AskNode = (method: string, params: JsonValue) => Promise<JsonValue>;

/** Returns the node of a relayer (facts 3.3). */
export function nodeOf({ relayers }: Client, relayerId: string): AskNode {
  return async (method, params) => {
    const { data } = await relayers.rpc(relayerId, { jsonrpc: "2.0", id: 1, method, params });
    return data.result ?? null;
  };
}
