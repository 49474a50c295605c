import { type Transport, TransportFailure } from "../../../src/client/transport/transport.ts";
import { type JsonObject, type JsonValue, NumberLiteral, parseJson, writeJson } from "../../../src/contract/json.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { reply, success } from "./reply.ts";

/**
 * A service like the real one with Redis (facts 1, 2 and 4.4): text/plain for a wrong shape, `error` and not `message`,
 * masked URLs, no stable order, no response past the last page. Without code of src/embedded-server.
 */
export function runningService(token = "test-token"): Transport {
  const relayers = Array.from({ length: 5 }, (_, index) => relayer(`r${index + 1}`));
  const notifications = ["n1", "n2", "n3"].map((id) => notification(id));
  let turn = 0;
  const lists = (all: readonly JsonObject[], query: string | undefined) =>
    listed(all, new URLSearchParams(query), turn++);
  return async (request) => {
    const denied = unauthorized(request.headers.authorization, token);
    if (denied) return denied;
    const [path = "", query] = request.target.split("?");
    const [, , , collection, id, nested, nestedId] = path.split("/");
    const route = [request.method, collection, id && "id", nested].filter(Boolean).join(" ");
    if (route === "GET relayers") return lists(relayers, query);
    if (route === "GET notifications") return lists(notifications, query);
    if (route === "POST notifications") return created(request, notifications);
    if (/^\w+ relayers id transactions$/.test(route)) return transactions(request, relayers, id, nestedId);
    if (/^\w+ relayers id$/.test(route)) return oneRelayer(request, relayers, id);
    return /^\w+ notifications id$/.test(route) ? oneNotification(request, notifications, id) : reply(404);
  };
}

/** The two kinds of 401 (facts 1.2). */
function unauthorized(authorization: string | undefined, token: string): WireReply | undefined {
  if (authorization === `Bearer ${token}`) return undefined;
  return authorization === undefined
    ? reply(401, '{"success": false, "code": 401, "error": "Unauthorized", "message": "Unauthorized"}')
    : reply(401, '{"success":false,"code":401,"error":"Unauthorized","message":"Unauthorized"}');
}

function oneRelayer(request: WireRequest, all: readonly JsonObject[], id?: string): WireReply {
  const found = all.find((item) => item.id === id);
  if (!found) return failed(404, `Relayer with ID ${id} not found`);
  if (request.method === "GET") return one(masked(found));
  return request.method === "PATCH" ? patched(request, found) : reply(404);
}

function oneNotification(request: WireRequest, all: readonly JsonObject[], id?: string): WireReply {
  const found = all.find((item) => item.id === id);
  if (!found) return failed(404, `Notification with ID '${id}' not found`);
  if (request.method === "GET") return one(found);
  return request.method === "PATCH" ? renotified(request, found) : reply(404);
}

function relayer(id: string): JsonObject {
  const policies = { min_balance: 1, gas_limit_estimation: true };
  const custom_rpc_urls = [{ url: "https://node.example/v3/KEY", weight: 100 }];
  return {
    id,
    name: id,
    network: "sepolia",
    network_type: "evm",
    paused: false,
    policies,
    signer_id: "s1",
    custom_rpc_urls,
    system_disabled: id === "r5",
  };
}

function notification(id: string): JsonObject {
  return { id, type: "webhook", url: `https://hooks.example/${id}`, has_signing_key: false };
}

function failed(status: number, error: string): WireReply {
  return reply(status, { success: false, data: null, error });
}

function one(data: JsonObject, status = 200): WireReply {
  return success(writeJson(data), undefined, status);
}

function masked(item: JsonObject): JsonObject {
  const urls = item.custom_rpc_urls;
  if (!Array.isArray(urls)) return item;
  const hidden = urls.map((entry) => ({ weight: 100, ...(entry as JsonObject), url: "https://node.example/***" }));
  return { ...item, custom_rpc_urls: hidden };
}

function listed(all: readonly JsonObject[], query: URLSearchParams, turn: number): WireReply {
  const page = Number(query.get("page") ?? 1);
  const size = Number(query.get("per_page") ?? 10);
  if (page === 0 || size === 0) return failed(500, "An unknown error occurred");
  if (page > Math.ceil(all.length / size))
    throw new TransportFailure("reset", "the connection was closed", { sent: true });
  const turned = [...all.slice(turn % all.length), ...all.slice(0, turn % all.length)];
  const items = turned.slice((page - 1) * size, page * size).map(masked);
  return success(writeJson(items), { current_page: page, per_page: size, total_items: all.length });
}

function created({ body = "" }: WireRequest, all: JsonObject[]): WireReply {
  const { signing_key, ...asked } = parseJson(body) as JsonObject;
  if (asked.url === undefined)
    return reply(400, "Json deserialize error: missing field `url` at line 1 column 10", {
      "content-type": "text/plain; charset=utf-8",
    });
  if (typeof signing_key === "string" && signing_key.length < 32)
    return failed(400, "Signing key must be at least 32 characters long");
  if (all.some(({ id }) => id === asked.id)) return failed(500, "An unknown error occurred");
  return one({ type: "webhook", ...asked, has_signing_key: signing_key !== undefined }, 201);
}

function renotified({ body = "" }: WireRequest, found: JsonObject): WireReply {
  const { signing_key, ...asked } = parseJson(body) as JsonObject;
  if (asked.id !== undefined)
    return reply(
      400,
      "Json deserialize error: unknown field `id`, expected one of `type`, `url`, `signing_key` at line 1 column 5",
    );
  return one({ ...found, ...asked, has_signing_key: typeof signing_key === "string" ? signing_key !== "" : false });
}

function patched({ body = "" }: WireRequest, found: JsonObject): WireReply {
  const asked = parseJson(body) as JsonObject;
  const { policies, ...rest } = asked;
  if (found.system_disabled) return failed(400, "Relayer is disabled");
  if (Object.values((policies ?? {}) as JsonObject).some(isFloat))
    return failed(400, "Invalid policy: Bad Request: Invalid EVM policy: invalid type: floating point");
  const merged = { ...(found.policies as JsonObject), ...((policies ?? {}) as JsonObject) };
  const kept = Object.entries(merged).flatMap(([key, value]) =>
    value === null ? [] : [[key, typeof value === "string" ? new NumberLiteral(value) : value]],
  );
  return one(masked({ ...found, ...rest, policies: Object.fromEntries(kept) }));
}

/** A bare number above 2^64 - 1 becomes a float on arrival (facts 5.3). */
function isFloat(value: JsonValue | undefined): boolean {
  return typeof value === "bigint" && value >= 2n ** 64n;
}

const TRANSACTION = {
  id: "t1",
  hash: "0xaa",
  status: "submitted",
  relayer_id: "r1",
  value: "0x1",
  gas_limit: 21000,
  max_fee_per_gas: "10500000000",
  max_priority_fee_per_gas: "500000000",
  gas_price: null,
  to: null,
  data: null,
  speed: "fast",
};

function transactions(
  { method, body = "" }: WireRequest,
  relayers: readonly JsonObject[],
  id?: string,
  transactionId?: string,
): WireReply {
  if (!relayers.some((item) => item.id === id)) return failed(404, `Relayer with ID ${id} not found`);
  if (id === "r5") return failed(403, "Relayer disabled");
  if (transactionId !== "t1") return failed(404, `Transaction with ID ${transactionId} not found`);
  if (method === "GET") return one(TRANSACTION);
  if (method !== "PUT") return reply(404);
  const { value = null, gas_limit = null, speed = "fast", to = null, data = null } = parseJson(body) as JsonObject;
  if (isFloat(value))
    return failed(400, "invalid type: floating point `1.8446744073709552e+19`, expected a 32 byte hex string");
  const changed = { value: `0x${BigInt(String(value)).toString(16)}`, gas_limit, speed, to, data };
  return one({ ...TRANSACTION, ...changed, hash: "0xbb", max_fee_per_gas: "11550000000" });
}
