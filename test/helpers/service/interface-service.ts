import type { Transport } from "../../../src/client/transport/transport.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson, writeJson } from "../../../src/contract/json.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { interfaceFixture } from "./interface-fixtures.ts";
import { refusal, success } from "./reply.ts";

/** `data` of a response of the interface; of its first element for a list. */
function shown(name: string): JsonObject {
  const envelope = parseJson(interfaceFixture("replies", name));
  const data = isJsonObject(envelope) ? envelope.data : null;
  const one = Array.isArray(data) ? data[0] : data;
  if (!isJsonObject(one)) throw new Error(`${name} shows nothing`);
  return one;
}

/** What the service has: one relayer, transaction, and notification of the interface. */
const RELAYER = shown("relayers.list");
const TRANSACTION = shown("tx.replace");
const NOTIFICATION = shown("notifications.list");

export interface Switches {
  token?: string;
  /** A failure that the next request meets. */
  failure?: WireReply;
}

/**
 * A service with only the interface's six operations and messages (interface 4), without code of src/embedded-server.
 */
export function interfaceService({ token = "test-token", failure }: Switches = {}): Transport {
  return async (request) => {
    if (request.headers.authorization !== `Bearer ${token}`) return refusal(401, "Unauthorized");
    if (failure) return failure;
    return answerTo(request) ?? refusal(404, "Not found");
  };
}

function answerTo(request: WireRequest): WireReply | undefined {
  const [path = ""] = request.target.split("?");
  const [, , , collection, id, nested, nestedId] = path.split("/");
  const body = request.body === undefined ? {} : (parseJson(request.body) as JsonObject);
  if (nested === "transactions" && request.method === "PUT") return replaced(id, nestedId, body);
  if (nested !== undefined) return undefined;
  if (collection === "relayers") return relayers(request, id, body);
  return collection === "notifications" ? notifications(request, id, body) : undefined;
}

function relayers({ method, target }: WireRequest, id: string | undefined, body: JsonObject): WireReply | undefined {
  if (method === "GET" && id === undefined) return listed(RELAYER, target);
  if (method !== "PATCH" || id === undefined) return undefined;
  if (id !== RELAYER.id) return refusal(404, `Relayer with ID ${id} not found`);
  const policies = body.policies && { ...(RELAYER.policies as JsonObject), ...(body.policies as JsonObject) };
  return one({ ...RELAYER, ...body, ...(policies && { policies }) });
}

function notifications(
  { method, target }: WireRequest,
  id: string | undefined,
  body: JsonObject,
): WireReply | undefined {
  const { signing_key, ...rest } = body;
  if (method === "GET" && id === undefined) return listed(NOTIFICATION, target);
  if (method === "POST" && id === undefined) {
    if (body.id === NOTIFICATION.id) return refusal(409, "Notification with this ID already exists");
    return one({ type: "webhook", ...rest, has_signing_key: signing_key !== undefined });
  }
  if (method !== "PATCH" || id === undefined) return undefined;
  if (id !== NOTIFICATION.id) return refusal(404, "Notification not found");
  const has_signing_key =
    typeof signing_key === "string" ? signing_key !== "" : (NOTIFICATION.has_signing_key ?? false);
  return one({ ...NOTIFICATION, ...rest, has_signing_key });
}

function replaced(relayerId: string | undefined, id: string | undefined, body: JsonObject): WireReply {
  if (relayerId !== RELAYER.id || id !== TRANSACTION.id) return refusal(404, "Not found");
  if (body.value === undefined && body.network === undefined && body.transaction === undefined)
    return refusal(400, "Bad Request");
  const texts = Object.entries(body).map(([key, value]) => [key, asShown(key, value)]);
  return one({ ...TRANSACTION, ...Object.fromEntries(texts), speed: {} });
}

/** Amounts are strings in a transaction (interface 2.4), and integers in a request (interface 3.1). */
function asShown(key: string, value: JsonValue): JsonValue {
  return ["value", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"].includes(key) ? String(value) : value;
}

function one(data: JsonObject): WireReply {
  return success(writeJson(data));
}

function listed(item: JsonObject, target: string): WireReply {
  const query = new URLSearchParams(target.split("?")[1]);
  const per_page = Number(query.get("per_page") ?? 10);
  return success(`[${writeJson(item)}]`, { current_page: Number(query.get("page") ?? 1), per_page, total_items: 1 });
}
