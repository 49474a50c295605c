import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import { jsonBody } from "../body.ts";
import type { Handler } from "../handler.ts";
import { evmMethods, type NodeCall } from "../node/evm-methods.ts";
import { Refusal } from "../refusal.ts";
import { kindOf } from "../relayer-kind.ts";
import { activeRelayer } from "../transaction/lookup.ts";

/** service-facts 3.3: no envelope, and status 200 for an error of the node too. */
export const callNode: Handler = async ({ ids: [relayerId = ""], request, store, now }) => {
  const body = jsonBody(request);
  const { method, params, id = 1 } = isJsonObject(body) ? body : {};
  return store.read((state) => {
    const relayer = activeRelayer(state, relayerId);
    if (typeof method !== "string" || method === "") throw new Refusal(400, "Missing 'method' field");
    const answered = answer(method, { params: Array.isArray(params) ? params : [], state, relayer, now });
    return { text: writeJson({ jsonrpc: "2.0", ...answered, id }), type: "application/json" };
  });
};

/** What a node does not know is told without its own words. */
const UNKNOWN: JsonValue = {
  code: -32603,
  message: "Internal error",
  description: "RPC error occurred (code: -32601)",
};

function answer(method: string, call: NodeCall): JsonObject {
  const known = kindOf(call.relayer) === "evm" && Object.hasOwn(evmMethods, method) ? evmMethods[method] : undefined;
  return known ? { result: known(call) } : { error: UNKNOWN };
}
