import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../../../../src/contract/json.ts";
import type { WireReply } from "../../../../src/contract/wire.ts";
import type { Arrived } from "../ledger.ts";
import { NETWORK } from "./chain.ts";
import type { Dialect } from "./dialect.ts";
import { createNotification, updateNotification } from "./notifications.ts";
import { callPlugin, createSigner, updateNetwork, updatePlugin } from "./others.ts";
import { removing } from "./outcome.ts";
import { createRelayer, jsonRpc, updateRelayer } from "./relayers.ts";
import { newState, type State } from "./state.ts";
import { cancelTransaction, replaceTransaction, sendTransaction, sponsored, transactionsOf } from "./transactions.ts";

/** One page of a list, with the pagination of both dialects. */
function page(items: readonly JsonObject[], target: string, dialect: Dialect): WireReply {
  const query = new URLSearchParams(target.split("?")[1]);
  const current_page = Number(query.get("page") ?? 1);
  const per_page = Number(query.get("per_page") ?? 10);
  const from = (current_page - 1) * per_page;
  const pagination = { current_page, per_page, total_items: items.length };
  return dialect.success(items.slice(from, from + per_page), { pagination });
}

export interface Considered {
  /** What it is about. */
  id: string;
  /** Absent when it changes nothing, or is refused. */
  apply?: () => void;
  /** The complete response, after `apply` where there is one. */
  reply(): WireReply;
  /** The response of a service that ignores the request: success, and the thing as it is. */
  current(): WireReply;
}

/** A small relayer service. It keeps what was applied, so that later reads see it. */
export interface Service {
  consider(request: Arrived): Considered;
  state: State;
}

export interface ServiceOptions {
  dialect: Dialect;
  /** Whether things can be asked for by id. */
  routes: boolean;
}

const PREFIX = "/api/v1";

export function createService(options: ServiceOptions): Service {
  const state = newState();
  return { state, consider: (request) => consider(request, state, options) };
}

function consider(request: Arrived, state: State, { dialect, routes }: ServiceOptions): Considered {
  const [, collection = "", id = "", nested, nestedId = ""] = request.path
    .slice(PREFIX.length)
    .split("/")
    .map(decodeURIComponent);
  const body = bodyOf(request);
  const found = `${request.method} ${collection}${id && "/id"}${nested ? `/${nested}` : ""}${nestedId && "/id"}`;
  const things = thingsIn(state, collection);
  switch (found) {
    case "GET relayers":
    case "GET notifications":
    case "GET signers":
    case "GET networks":
    case "GET plugins":
      return read("", page([...things.values()].map(dialect.shown), request.target, dialect));
    case "GET relayers/id":
    case "GET notifications/id":
    case "GET signers/id":
    case "GET networks/id":
    case "GET plugins/id":
      return routes ? one(id, id === NETWORK.id ? NETWORK : things.get(id), dialect) : read(id, dialect.noRoute);
    case "GET relayers/id/transactions":
      return read("", page(transactionsOf(id, state).map(dialect.shown), request.target, dialect));
    case "DELETE relayers/id/transactions/id":
      return cancelTransaction(nestedId, state, dialect);
    case "GET relayers/id/transactions/id":
      return routes ? one(nestedId, state.transactions.get(nestedId), dialect) : read(nestedId, dialect.noRoute);
    case "POST relayers":
      return createRelayer(body, state, dialect);
    case "GET relayers/id/status":
      return read(id, dialect.success({ network_type: "evm", balance: "10000000000000000000000", nonce: "7" }));
    case "GET relayers/id/balance":
      return read(id, dialect.success({ balance: 10n ** 40n, unit: "wei" }));
    case "POST relayers/id/sign":
    case "POST relayers/id/sign-typed-data":
      return read(id, dialect.success({ r: "76", s: "3e", v: 27, sig: "763e1b" }));
    case "POST relayers/id/sign-transaction":
      return read(id, dialect.success({ signedXdr: "AAAAAgAAAAEAAAAB", signature: "c2lnbmVk" }));
    case "POST relayers/id/transactions/id":
      return read(id, dialect.success(sponsored(request.path)));
    case "POST relayers/id/rpc":
      return jsonRpc(id, body, state);
    case "PATCH relayers/id":
      return updateRelayer(id, body, state, dialect);
    case "PUT relayers/id/transactions/id":
      return replaceTransaction(id, nestedId, body, state, dialect);
    case "POST relayers/id/transactions":
      return sendTransaction(id, body, state, dialect);
    case "POST notifications":
      return createNotification(body, state, dialect);
    case "DELETE relayers/id":
    case "DELETE notifications/id":
    case "DELETE signers/id":
      return removing(things, id, dialect);
    case "PATCH notifications/id":
      return updateNotification(id, body, state, dialect);
    case "POST signers":
      return createSigner(body, state, dialect);
    case "PATCH networks/id":
      return updateNetwork(id, body, state, dialect);
    case "PATCH plugins/id":
      return updatePlugin(id, body, state, dialect);
    case "POST plugins/id/call":
      return callPlugin(id, dialect);
    default:
      return unknown(request, dialect);
  }
}

function thingsIn(state: State, collection: string): Map<string, JsonObject> {
  const { relayers, notifications, signers, networks, plugins } = state;
  const known: Record<string, Map<string, JsonObject>> = { relayers, signers, networks, plugins };
  return known[collection] ?? notifications;
}

function one(id: string, thing: JsonObject | undefined, dialect: Dialect): Considered {
  return read(id, thing ? dialect.success(dialect.shown(thing)) : dialect.failure(404, `${id} not found`));
}

function read(id: string, reply: WireReply): Considered {
  return { id, reply: () => reply, current: () => reply };
}

/** A write that no table lists: it is done, and the ledger says so. */
function unknown({ method, path }: Arrived, dialect: Dialect): Considered {
  const reply = () => dialect.success({ done: true });
  return { id: path, reply, current: reply, ...(method !== "GET" && { apply: () => {} }) };
}

function bodyOf({ body }: Arrived): JsonObject {
  let json: JsonValue = null;
  try {
    json = parseJson(body);
  } catch {
    // An invalid body is refused where it is needed.
  }
  return isJsonObject(json) ? json : {};
}
