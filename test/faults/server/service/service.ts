import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../../../../src/contract/json.ts";
import type { Method, WireReply } from "../../../../src/contract/wire.ts";
import type { Arrived } from "../ledger.ts";
import { callNode } from "./chain.ts";
import { answering, type Considered } from "./considered.ts";
import type { Dialect } from "./dialect.ts";
import { considerResource, type Noun } from "./resources.ts";
import { newState, type State } from "./state.ts";
import { considerTransaction } from "./transactions.ts";

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

export interface Serving extends ServiceOptions {
  state: State;
}

const PREFIX = "/api/v1";
const NOUNS: readonly string[] = ["relayers", "notifications", "signers", "networks", "plugins"] satisfies Noun[];

export function createService(options: ServiceOptions): Service {
  const state = newState();
  return { state, consider: (request) => consider(request, { ...options, state }) };
}

function consider(request: Arrived, serving: Serving): Considered {
  const { dialect, state } = serving;
  const parts = request.path.slice(PREFIX.length).split("/").map(decodeURIComponent);
  const [, noun = "", id = "", below = "", belowId = ""] = parts;
  const method = request.method as Method;
  const asked = { method, id, body: readBody(request) };
  if (!NOUNS.includes(noun)) return applied(request.path, dialect.success({ done: true }), method !== "GET");
  if (method === "GET" && (id === "" || (below === "transactions" && belowId === ""))) {
    const things = id === "" ? [...state[noun as Noun].values()] : listTransactions(id, state);
    return answering(id, page(things.map(dialect.shown), request.target, dialect));
  }
  if (below === "") return considerResource(noun as Noun, asked, serving);
  if (below === "transactions") return considerTransaction({ ...asked, belowId, path: request.path }, serving);
  // Facts 3.3: no envelope. The ledger has what a sending method was given, and what a plugin was.
  if (below === "rpc")
    return applied(id, callNode(asked.body, state.chain), String(asked.body.method).includes("send"));
  return applied(id, dialect.success(BELOW[below] ?? { moved: 7 }), below === "call");
}

const SIGNATURE = { r: "76", s: "3e", v: 27, sig: "763e1b" };

/** What a relayer has below it. */
const BELOW: Readonly<Record<string, JsonObject>> = {
  status: { network_type: "evm", balance: "10000000000000000000000", nonce: "7" },
  balance: { balance: 10n ** 40n, unit: "wei" },
  sign: SIGNATURE,
  "sign-typed-data": SIGNATURE,
  "sign-transaction": { signedXdr: "AAAAAgAAAAEAAAAB", signature: "c2lnbmVk" },
};

/** A response that is the same before and after, with an entry of the ledger if the request does anything. */
function applied(id: string, reply: WireReply, isDone: boolean): Considered {
  return { ...answering(id, reply), ...(isDone && { apply: () => {} }) };
}

/** Newest first (facts 5.1). */
function listTransactions(relayer: string, { transactions }: State): JsonObject[] {
  return [...transactions.values()].filter(({ relayer_id }) => relayer_id === relayer).reverse();
}

/** One page of a list, with the pagination of both dialects. */
function page(items: readonly JsonObject[], target: string, dialect: Dialect): WireReply {
  const query = new URLSearchParams(target.split("?")[1]);
  const current_page = Number(query.get("page") ?? 1);
  const per_page = Number(query.get("per_page") ?? 10);
  const from = (current_page - 1) * per_page;
  const pagination = { current_page, per_page, total_items: items.length };
  return dialect.success(items.slice(from, from + per_page), { pagination });
}

function readBody({ body }: Arrived): JsonObject {
  let json: JsonValue = null;
  try {
    json = parseJson(body);
  } catch {
    // An invalid body is refused where it is needed.
  }
  return isJsonObject(json) ? json : {};
}
