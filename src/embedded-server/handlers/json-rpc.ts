import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import { OVERRIDE_CALL } from "../../contract/relay-code.ts";
import { jsonBody } from "../body.ts";
import type { Handler } from "../handler.ts";
import { callEvmNode, type NodeCall, UNKNOWN_METHOD } from "../node/evm-methods.ts";
import { NodeError } from "../node/node-error.ts";
import { SOLANA_SIGN, signedOnSolana } from "../node/solana-sign.ts";
import { Refusal } from "../refusal.ts";
import { activeRelayer, kindOf } from "../transaction/lookup.ts";

/** Responds without an envelope, and with status 200 even for an error of the node (facts 3.3). */
export const callNode: Handler = async ({ ids: [relayerId = ""], request, store, now }) => {
  const body = jsonBody(request);
  const { method, params, id = 1 } = isJsonObject(body) ? body : {};
  const reply = (answered: JsonObject) => ({
    text: writeJson({ jsonrpc: "2.0", ...answered, ...(id !== null && { id }) }),
    type: "application/json",
  });
  const relayer = await store.read((state) => activeRelayer(state, relayerId));
  if (!isId(id)) throw new Refusal(400, "Invalid 'id' field: must be a string, integer, or null");
  if (typeof method !== "string" || method === "") throw new Refusal(400, "Missing 'method' field");
  if (method === SOLANA_SIGN && kindOf(relayer) === "solana") {
    const signed = signedOnSolana(params);
    await store.change(({ outbox }) => void outbox.push({ signed, relayerId, timestamp: now }));
    return reply({ result: signed });
  }
  const given = Array.isArray(params) ? params : [];
  return reply(await store.read((state) => answer(method, { params: given, state, relayer, now })));
};

/** Returns whether a value is an integer of 64 bits (facts 3.3). */
function isId(id: JsonValue): boolean {
  if (id === null || typeof id === "string") return true;
  return isJsonInteger(id) && BigInt.asIntN(64, BigInt(id)) === BigInt(id);
}

/** Returns a result, or an error without the node's own words (facts 15.5). */
function answer(method: string, call: NodeCall): JsonObject {
  try {
    if (kindOf(call.relayer) !== "evm") throw new NodeError(UNKNOWN_METHOD);
    const { faults } = call.state;
    const isOverriding = method === "eth_call" && call.params.length > 2;
    const failure = faults?.nodeCode(method) ?? (isOverriding ? faults?.nodeCode(OVERRIDE_CALL) : undefined);
    if (failure !== undefined) throw new NodeError(failure);
    return { result: callEvmNode(method, call) };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return { error: { code: -32603, message: "Internal error", description: error.message } };
  }
}
