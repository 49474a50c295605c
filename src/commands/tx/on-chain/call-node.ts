import type { Client } from "../../../client/client.ts";
import type { JsonValue } from "../../../contract/json.ts";

/** Asks a node for something, and gives the `result` of its answer. */
export type AskNode = (method: string, params: JsonValue) => Promise<JsonValue>;

/** The node of a relayer (facts 3.3). */
export function nodeOf({ relayers }: Client, relayerId: string): AskNode {
  return async (method, params) => {
    const { data } = await relayers.rpc(relayerId, { jsonrpc: "2.0", id: 1, method, params });
    return data.result ?? null;
  };
}
