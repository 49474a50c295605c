import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import type { ApiRequest } from "../request.ts";

/** Returns why a response describes a different resource than the requested one; undefined if it does not. */
export function wrongIdentity(request: ApiRequest, returned: JsonValue): string | undefined {
  const { id, kind, bare, answers = "id" } = request.operation;
  if (id === "relayers.rpc" && kind === "read") return wrongRpcId(request.body, returned);
  if (bare || !isJsonObject(returned)) return undefined;
  const named = request.operation.answers ? lastParameter(request) : identityInBody(request);
  const found = answers === "nonce" ? wireAmount(returned.nonce)?.toString() : returned.id;
  if (named !== undefined && found !== named) return `the response has a different ${answers} than the request`;
  const relayer = request.parameters?.relayer_id;
  const owner = returned.relayer_id ?? relayer;
  return owner === relayer ? undefined : "the response is for a different relayer than the request";
}

/** Compares the IDs of a JSON-RPC request and its response. A response without an ID is accepted (facts 3.3). */
function wrongRpcId(request: JsonValue | undefined, response: JsonValue): string | undefined {
  const [sent = null, received = null] = [request, response].map((each) => (isJsonObject(each) ? each.id : null));
  const isOther = sent !== null && received !== null && writeJson(sent) !== writeJson(received);
  return isOther ? "the response has a different JSON-RPC ID than the request" : undefined;
}

/** Returns a transaction's relayer if it is not the requested relayer: the service does not check (facts 3.4). */
export function otherRelayer({ operation, parameters = {} }: ApiRequest, returned: JsonValue): string | undefined {
  if (operation.id !== "tx.get" || !isJsonObject(returned) || returned.id !== parameters.transaction_id)
    return undefined;
  const owner = returned.relayer_id;
  return typeof owner === "string" && owner !== parameters.relayer_id ? owner : undefined;
}

export function identityInBody(request: ApiRequest): string | undefined {
  return isJsonObject(request.body) && typeof request.body.id === "string" ? request.body.id : undefined;
}

function lastParameter(request: ApiRequest): string | undefined {
  const name = /.*\{(\w+)\}/.exec(request.operation.path)?.[1];
  return name === undefined ? undefined : request.parameters?.[name];
}
