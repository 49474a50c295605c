import { BASE_UNIT } from "../contract/amount.ts";
import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue, objectIn, writeJson } from "../contract/json.ts";
import type { OperationId } from "../contract/operations.ts";
import { OVERRIDE_CALL } from "../contract/relay-code.ts";
import { withMaskedRpcUrls } from "../contract/rpc-url.ts";
import { isPending } from "../contract/transaction/transaction.ts";
import { signatureDigits } from "./digits.ts";
import { type Handler, type HandlerCall, handlerJsonBody, pagedListReply } from "./handler.ts";
import { cancelTransaction, deletePendingTransactions } from "./handlers/cancel-transaction.ts";
import { updateNetwork } from "./handlers/networks.ts";
import { deleteUnusedResource, readResources, resourceWithoutKey } from "./handlers/resources.ts";
import { getTransaction, getTransactionByNonce, listTransactions } from "./handlers/transactions.ts";
import { unreachableNode } from "./health/checks.ts";
import { nextNonceNumber, nextSequenceNumber, transactionsOf } from "./lifecycle/numbers.ts";
import { callEvmNode, type NodeCall } from "./node/evm-methods.ts";
import { callListingNode } from "./node/listing-methods.ts";
import { NodeError, servedBalance } from "./node/served-chain.ts";
import { malformedBody, Refusal, relayerBusy } from "./refusal.ts";
import type { Resource } from "./state/collection.ts";
import type { ServerState } from "./state/state.ts";
import { lookUpActiveRelayer, lookUpRelayer, servedKind } from "./transaction/lookup.ts";
import type { validatingHandlers } from "./validating-handlers.ts";
import { serverTime } from "./world.ts";

type ShowRelayer = (relayer: JsonObject) => JsonObject;

/** Lists relayers (interface 4.1). */
export function relayerListHandler(show: ShowRelayer): Handler {
  return async ({ query, store, memo }) =>
    store.read(({ relayers }) => pagedListReply(relayers, query, (relayer) => memo(show, relayer)));
}

/** Reads a relayer. Not in the interface; facts 3.1. */
export function relayerGetHandler(show: ShowRelayer): Handler {
  return async ({ ids: [id = ""], store }) => store.read((state) => ({ data: show(lookUpRelayer(state, id)) }));
}

/** Deletes a relayer unless it has pending transactions; final ones stay (facts 3.1). */
const deleteRelayer: Handler = async ({ ids: [id = ""], store }) =>
  store.change((state) => {
    lookUpRelayer(state, id);
    const active = transactionsOf(state, id).filter(isPending);
    if (active.length > 0) throw relayerBusy(id, active.length);
    state.relayers.remove(id);
    return { data: "Relayer deleted successfully" };
  });

/** Returns a relayer's status: the balance is a string, and the counter has a name for each kind (facts 3.1). */
const getRelayerStatus: Handler = async ({ ids: [id = ""], store, now }) =>
  store.read((state) => {
    const relayer = lookUpRelayer(state, id);
    const node = unreachableNode(state, relayer);
    // The service's text has the node's whole URL (facts 13.10).
    if (node !== undefined)
      throw new Refusal(500, `Transport error: error sending request for url (${new URL(node).href})`);
    return { data: buildStatus(state, relayer, servedBalance(state, relayer, now), relayerCounter(state, relayer)) };
  });

export function buildStatus(state: ServerState, relayer: Resource, balance: bigint, counters: JsonObject): JsonObject {
  const own = transactionsOf(state, relayer.id);
  const confirmed = own.flatMap(({ confirmed_at }) => (typeof confirmed_at === "string" ? [confirmed_at] : []));
  return {
    network_type: servedKind(relayer),
    balance: String(balance),
    pending_transactions_count: own.filter(isPending).length,
    last_confirmed_transaction_timestamp: confirmed.sort().at(-1) ?? null,
    system_disabled: relayer.system_disabled ?? false,
    paused: relayer.paused ?? false,
    ...counters,
  };
}

function relayerCounter(state: ServerState, relayer: Resource): JsonObject {
  switch (servedKind(relayer)) {
    case "evm":
      return { nonce: String(nextNonceNumber(state, relayer.id)) };
    case "stellar":
      return { sequence_number: String(nextSequenceNumber(state, relayer.id)) };
    case "solana":
      return {};
  }
}

/** Returns an integer of any size, for EVM often above 2^53 (facts 3.1). */
const getBalance: Handler = async ({ ids: [id = ""], store, now }) =>
  store.read((state) => {
    const relayer = lookUpRelayer(state, id);
    return { data: { balance: servedBalance(state, relayer, now), unit: BASE_UNIT[servedKind(relayer)] } };
  });

interface RpcRequest {
  relayer: Resource;
  method: string;
  /** The sent value, for a method of the service's own. */
  sent: JsonValue | undefined;
  /** The sent list; empty for anything else. */
  params: JsonValue[];
}

/** Responds without an envelope, and with status 200 even for an error of the node (facts 3.3). */
export function nodeCallHandler(answerRpc: (request: RpcRequest, call: HandlerCall) => Promise<JsonObject>): Handler {
  return async (call) => {
    const body = handlerJsonBody(call.request);
    const { method, params, id = 1 } = isJsonObject(body) ? body : {};
    const relayer = await call.store.read((state) => lookUpActiveRelayer(state, call.ids[0] ?? ""));
    if (!isId(id)) throw new Refusal(400, "Invalid 'id' field: must be a string, integer, or null");
    if (typeof method !== "string" || method === "") throw new Refusal(400, "Missing 'method' field");
    const given = Array.isArray(params) ? params : [];
    const answered = await answerRpc({ relayer, method, sent: params, params: given }, call);
    const text = writeJson({ jsonrpc: "2.0", ...answered, ...(id !== null && { id }) });
    return { text, type: "application/json" };
  };
}

/** A method that the service handles without a node (facts 3.3); its result is in facts 7.3. */
const SOLANA_SIGN = "signTransaction";

/** Returns the result of `signTransaction`, without signing. @throws Refusal */
function signedOnSolana(params: JsonValue | undefined): JsonObject {
  const { transaction } = objectIn(params);
  if (typeof transaction === "string") return { transaction, signature: signatureDigits(transaction) };
  throw new Refusal(400, "Invalid Solana RPC request: missing field `transaction`");
}

const callNode = nodeCallHandler(async ({ relayer, method, sent, params }, { store, now }) => {
  if (method === SOLANA_SIGN && servedKind(relayer) === "solana") {
    const signed = signedOnSolana(sent);
    await store.change(({ outbox }) => void outbox.push({ signed, relayerId: relayer.id, timestamp: now }));
    return { result: signed };
  }
  return store.read((state) => answerMethod(method, { params, sent, state, relayer, now }));
});

/** Returns whether a value is an integer of 64 bits (facts 3.3). */
function isId(id: JsonValue): boolean {
  if (id === null || typeof id === "string") return true;
  return isJsonInteger(id) && BigInt.asIntN(64, BigInt(id)) === BigInt(id);
}

/** Returns a result, or an error without the node's message (facts 15.5). */
function answerMethod(method: string, call: NodeCall & Pick<RpcRequest, "sent">): JsonObject {
  try {
    const kind = servedKind(call.relayer);
    if (kind !== "evm") return { result: callListingNode(method, kind, { ...call, params: call.sent }) };
    const { faults } = call.state;
    const isOverriding = method === "eth_call" && call.params.length > 2;
    const failure = faults?.nodeCode(method) ?? (isOverriding ? faults?.nodeCode(OVERRIDE_CALL) : undefined);
    if (failure !== undefined) throw new NodeError(failure);
    return { result: callEvmNode(method, call) };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return maskedRpcError(error.message);
  }
}

/** Returns the service's version of a node's error (facts 15.5). */
export function maskedRpcError(description: string): JsonObject {
  return { error: { code: -32603, message: "Internal error", description } };
}

/** The service's metrics by name (recorded at v1.8), with the values of a new service, since nothing is counted. */
const METRICS: Record<string, string> = {
  in_flight_requests: metricLines("in_flight_requests", "gauge", "1"),
  raw_requests_total: metricLines("raw_requests_total", "counter", "1"),
  request_latency_seconds: metricLines("request_latency_seconds", "gauge", "0.001"),
  requests_total: metricLines("requests_total", "counter", "1"),
  worker_threads: metricLines("worker_threads", "gauge", "1"),
};

const PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

function metricLines(name: string, type: "counter" | "gauge", value: string): string {
  return `# HELP ${name} Not counted by the embedded server\n# TYPE ${name} ${type}\n${name} ${value}\n`;
}

function jsonReply(text: string) {
  return { text, type: "application/json" };
}

/** Refuses every update, of unknown signers too (facts 8.1). */
const updateSigner: Handler = async ({ request }) => {
  const body = handlerJsonBody(request);
  const [key] = isJsonObject(body) ? Object.keys(body) : [];
  if (key !== undefined) throw malformedBody(`Json deserialize error: unknown field \`${key}\`, there are no fields`);
  throw new Refusal(
    400,
    "Signer updates are not allowed for security reasons. Please delete the existing signer and create a new one with the desired configuration.",
  );
};

const notifications = readResources("notifications", resourceWithoutKey);
const signers = readResources("signers");
const networks = readResources("networks");
const plugins = readResources("plugins");

/** The compiler reports a missing handler. */
export const handlers: Record<OperationId, Handler> = {
  "relayers.list": relayerListHandler(withMaskedRpcUrls),
  "relayers.get": relayerGetHandler(withMaskedRpcUrls),
  "relayers.create": lateHandler("relayers.create"),
  "relayers.update": lateHandler("relayers.update"),
  "relayers.delete": deleteRelayer,
  "relayers.status": getRelayerStatus,
  "relayers.balance": getBalance,
  "relayers.rpc": callNode,
  "relayers.sign": lateHandler("relayers.sign"),
  "relayers.sign-typed-data": lateHandler("relayers.sign-typed-data"),
  "relayers.sign-transaction": lateHandler("relayers.sign-transaction"),
  "tx.delete-pending": deletePendingTransactions,
  "tx.list": listTransactions,
  "tx.get": getTransaction,
  "tx.get-by-nonce": getTransactionByNonce,
  "tx.send": lateHandler("tx.send"),
  "tx.replace": lateHandler("tx.replace"),
  "tx.cancel": cancelTransaction,
  "tx.quote": lateHandler("tx.quote"),
  "tx.build": lateHandler("tx.build"),
  "notifications.list": notifications.list,
  "notifications.get": notifications.get,
  "notifications.create": lateHandler("notifications.create"),
  "notifications.update": lateHandler("notifications.update"),
  "notifications.delete": deleteUnusedResource("notifications"),
  "signers.list": signers.list,
  "signers.get": signers.get,
  "signers.create": lateHandler("signers.create"),
  "signers.update": updateSigner,
  "signers.delete": deleteUnusedResource("signers"),
  "networks.list": networks.list,
  "networks.get": networks.get,
  "networks.update": updateNetwork,
  "plugins.list": plugins.list,
  "plugins.get": plugins.get,
  "plugins.update": lateHandler("plugins.update"),
  "plugins.call": lateHandler("plugins.call"),
  "plugins.call-route": lateHandler("plugins.call"),
  "plugins.call-get": lateHandler("plugins.call"),
  "plugins.call-get-route": lateHandler("plugins.call"),
  "server.health": async () => ({ text: "OK" }),
  "server.ready": async ({ now }) => {
    const pool = { connected: true, available: 0, max_size: 0 };
    const system = { status: "healthy", fd_count: 32, fd_limit: 1024, fd_usage_percent: 3, close_wait_count: 0 };
    const redis = { status: "healthy", primary_pool: pool, reader_pool: pool };
    const components = { system, redis, queue: { status: "healthy" } };
    return jsonReply(writeJson({ ready: true, status: "healthy", components, timestamp: serverTime(now) }));
  },
  "server.metrics": async () => jsonReply(writeJson(Object.keys(METRICS))),
  "server.metric": async ({ ids: [name = ""] }) => {
    const text = Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
    if (text === undefined) throw new Refusal(404, "Metric not found", { service: { plain: true } });
    return { text, type: PROMETHEUS };
  },
  "server.metrics-scrape": async () => ({ text: Object.values(METRICS).join(""), type: PROMETHEUS }),
};

/** Returns a handler that is loaded with the first request for a validating operation. */
function lateHandler(id: keyof typeof validatingHandlers): Handler {
  return async (call) => (await import("./validating-handlers.ts")).validatingHandlers[id](call);
}
