import { isNumber } from "./decimal.ts";
import { jsonRpcReplyShape } from "./json-rpc.ts";
import type { Operation } from "./operation.ts";
import {
  anything,
  deletion,
  fields,
  flag,
  listShape,
  nullishShape,
  objectShape,
  shapeWhere,
  text,
} from "./reply/shape.ts";
import { networkShape } from "./resources/network.ts";
import { notificationShape } from "./resources/notification.ts";
import { pluginShape } from "./resources/plugin.ts";
import { balanceShape, relayerShape } from "./resources/relayer.ts";
import { signerShape } from "./resources/signer.ts";
import { transactionShape } from "./transaction/transaction.ts";

/** The signature of an EVM relayer (facts 3.2): hex without `0x`; `sig` is `r`, `s`, and `v` in one. */
const signatureShape = objectShape({
  sig: text,
  r: nullishShape(text),
  s: nullishShape(text),
  v: nullishShape(anything),
});

/** A signed transaction: Stellar's in `signedXdr`, the only field in camel case, and Solana's in `transaction`. */
const signedTransactionShape = objectShape({
  signature: text,
  signedXdr: nullishShape(text),
  transaction: nullishShape(text),
});

/** The cost of a sponsored transaction: the only field of both kinds (facts 3.5). */
const quoteShape = objectShape({
  conversion_rate: shapeWhere((value) => typeof value === "string" || (value !== undefined && isNumber(value))),
});

/** A built sponsored transaction: in both kinds, the transaction itself (facts 3.5). */
const builtShape = objectShape({ transaction: text });

const READ = { kind: "read", method: "GET" } as const;
const LIST = { ...READ, list: true } as const;
const GET = { ...READ, answers: "id" } as const;
const CREATE = { kind: "create", method: "POST" } as const;
const PATCH = { kind: "patch", method: "PATCH", answers: "id" } as const;
const REMOVE = { kind: "remove", method: "DELETE" } as const;
const SEND = { kind: "once", method: "POST" } as const;
/** Signs and sends nothing to a chain, so it is a read (facts 3.2, promises 7.1). */
const SIGN = { kind: "read", method: "POST", signs: true } as const;
/** Calls a plugin, which determines the effects and the result (facts 8.3). */
const CALL = { kind: "once", data: anything, bare: true, ownFailures: true } as const;
/** Returns Prometheus text (facts 3.6). */
const METRICS = { ...READ, data: anything, bare: true, metrics: true } as const;

const TABLE = {
  /** interface 4.1. */
  "relayers.list": { ...LIST, path: "/relayers", data: relayerShape },
  /** Not in the interface (facts 3.0), since v1.0. */
  "relayers.get": { ...GET, path: "/relayers/{relayer_id}", data: relayerShape },
  /** facts 3.1. If the response of a create is lost, nothing reveals a generated ID, so the client generates it. */
  "relayers.create": { ...CREATE, path: "/relayers", data: relayerShape, since: "1.1" },
  /** interface 4.2. A merge patch (facts 4.5). */
  "relayers.update": { ...PATCH, path: "/relayers/{relayer_id}", data: relayerShape },
  /** facts 3.1; rejected while a transaction is in progress. */
  "relayers.delete": { ...REMOVE, path: "/relayers/{relayer_id}", data: deletion, since: "1.1" },
  /** facts 3.1: balance, counts, and the relayer's own nonce or sequence, as its node reports them now. */
  "relayers.status": { ...READ, path: "/relayers/{relayer_id}/status", data: fields },
  /** facts 3.1: `{balance, unit}`, an integer of any size. */
  "relayers.balance": { ...READ, path: "/relayers/{relayer_id}/balance", data: balanceShape },
  /** facts 3.3: JSON-RPC, no envelope. Never sent twice, unless its method only reads. */
  "relayers.rpc": { ...SEND, path: "/relayers/{relayer_id}/rpc", data: jsonRpcReplyShape, bare: true },
  /** facts 3.2. Nothing is sent to a chain, so it is a read (promises 7.1). */
  "relayers.sign": { ...SIGN, path: "/relayers/{relayer_id}/sign", data: signatureShape },
  /** facts 3.2. */
  "relayers.sign-typed-data": { ...SIGN, path: "/relayers/{relayer_id}/sign-typed-data", data: signatureShape },
  /** facts 3.2. */
  "relayers.sign-transaction": {
    ...SIGN,
    path: "/relayers/{relayer_id}/sign-transaction",
    data: signedTransactionShape,
    since: "1.1",
  },
  /** facts 5.6: the service's bulk call cancels nothing, so `tx cancel-pending` does not use it. */
  "tx.delete-pending": {
    kind: "once",
    method: "DELETE",
    path: "/relayers/{relayer_id}/transactions/pending",
    data: fields,
  },
  /** facts 3.4: newest first; `status` filters since v1.6 and is ignored before. */
  "tx.list": { ...LIST, path: "/relayers/{relayer_id}/transactions", data: transactionShape },
  /** Not in the interface (facts 3.0), since v1.0. */
  "tx.get": { ...GET, path: "/relayers/{relayer_id}/transactions/{transaction_id}", data: transactionShape },
  /** facts 3.4; only EVM has nonces. */
  "tx.get-by-nonce": {
    ...READ,
    path: "/relayers/{relayer_id}/transactions/by-nonce/{nonce}",
    data: transactionShape,
    answers: "nonce",
  },
  /** facts 5.3, 5.7, 5.8. There is no idempotency key: a second POST is a second transaction. */
  "tx.send": { ...SEND, path: "/relayers/{relayer_id}/transactions", data: transactionShape },
  /** interface 4.3. The body is validated by its kind; see `replacementSchemas`. */
  "tx.replace": {
    kind: "once",
    method: "PUT",
    path: "/relayers/{relayer_id}/transactions/{transaction_id}",
    data: transactionShape,
    answers: "id",
  },
  /** facts 5.5: accepted does not mean done. */
  "tx.cancel": {
    ...REMOVE,
    path: "/relayers/{relayer_id}/transactions/{transaction_id}",
    data: transactionShape,
    answers: "id",
  },
  /** facts 3.5. */
  "tx.quote": {
    kind: "read",
    method: "POST",
    path: "/relayers/{relayer_id}/transactions/sponsored/quote",
    data: quoteShape,
    since: "1.3",
  },
  /** facts 3.5. */
  "tx.build": {
    kind: "read",
    method: "POST",
    path: "/relayers/{relayer_id}/transactions/sponsored/build",
    data: builtShape,
    since: "1.3",
  },
  /** interface 4.4. */
  "notifications.list": { ...LIST, path: "/notifications", data: notificationShape, since: "1.1" },
  /** Not in the interface (facts 3.0). */
  "notifications.get": { ...GET, path: "/notifications/{notification_id}", data: notificationShape, since: "1.1" },
  /** interface 4.5. */
  "notifications.create": { ...CREATE, path: "/notifications", data: notificationShape, since: "1.1" },
  /** interface 4.6. Not a merge patch: null keeps the key, "" removes it. */
  "notifications.update": { ...PATCH, path: "/notifications/{notification_id}", data: notificationShape, since: "1.1" },
  /** facts 6; rejected while a relayer uses it. */
  "notifications.delete": { ...REMOVE, path: "/notifications/{notification_id}", data: deletion, since: "1.1" },
  /** facts 8.1. */
  "signers.list": { ...LIST, path: "/signers", data: signerShape, since: "1.1" },
  /** facts 8.1: no secret is returned; a `plain` signer is returned as `local`. */
  "signers.get": { ...GET, path: "/signers/{signer_id}", data: signerShape, since: "1.1" },
  /** facts 8.1. The client generates an ID if none is specified. */
  "signers.create": { ...CREATE, path: "/signers", data: signerShape, since: "1.1" },
  /** facts 8.1: the service rejects every update, so no command sends one. */
  "signers.update": { ...PATCH, path: "/signers/{signer_id}", data: signerShape, since: "1.1" },
  /** facts 8.1; rejected while a relayer uses it. */
  "signers.delete": { ...REMOVE, path: "/signers/{signer_id}", data: deletion, since: "1.1" },
  /** facts 8.2. */
  "networks.list": { ...LIST, path: "/networks", data: networkShape, since: "1.4" },
  /** facts 8.2: RPC URLs come unmasked. */
  "networks.get": { ...GET, path: "/networks/{network_id}", data: networkShape, since: "1.4" },
  /** facts 8.2: `rpc_urls` only. */
  "networks.update": { ...PATCH, path: "/networks/{network_id}", data: networkShape, since: "1.4" },
  /** facts 8.3. */
  "plugins.list": { ...LIST, path: "/plugins", data: pluginShape, since: "1.1" },
  /** facts 8.3. */
  "plugins.get": { ...GET, path: "/plugins/{plugin_id}", data: pluginShape, since: "1.4" },
  /** facts 8.3; `timeout` is in seconds here and an object in the response. */
  "plugins.update": { ...PATCH, path: "/plugins/{plugin_id}", data: pluginShape, since: "1.4" },
  /** facts 8.3: the plugin determines the effects and the result. */
  "plugins.call": { ...CALL, method: "POST", path: "/plugins/{plugin_id}/call" },
  /** facts 8.3: the same, with a route for the plugin. */
  "plugins.call-route": { ...CALL, method: "POST", path: "/plugins/{plugin_id}/call/{route...}", since: "1.4" },
  /** facts 8.3: the plugin determines whether GET is allowed. */
  "plugins.call-get": { ...CALL, method: "GET", path: "/plugins/{plugin_id}/call", since: "1.4" },
  /** facts 8.3. */
  "plugins.call-get-route": { ...CALL, method: "GET", path: "/plugins/{plugin_id}/call/{route...}", since: "1.4" },
  /** facts 3.6: the text `OK`. */
  "server.health": { ...READ, path: "/health", data: anything, bare: true, isPublic: true },
  /** facts 3.6: bare JSON, with 503 if it is not ready. */
  "server.ready": {
    ...READ,
    path: "/ready",
    data: objectShape({ ready: flag }),
    bare: true,
    alsoSucceeds: 503,
    isPublic: true,
    since: "1.4",
  },
  /** facts 3.6: the names of the metrics, a bare array. */
  "server.metrics": { ...READ, path: "/metrics", data: listShape(text), bare: true },
  /** facts 3.6: one metric, as Prometheus text. */
  "server.metric": { ...METRICS, path: "/metrics/{metric}" },
  /** facts 3.6: all metrics, as Prometheus text. */
  "server.metrics-scrape": { ...METRICS, path: "/debug/metrics/scrape" },
} as const satisfies Record<string, Omit<Operation, "id">>;

/**
 * Every operation of the service by its ID, except its API keys, which its authentication never uses (facts 3.10). Maps
 * with the same keys let the compiler report what is missing. A path without a parameter comes before one whose
 * parameter would match its last word.
 */
export const operations = TABLE as { readonly [Id in OperationId]: (typeof TABLE)[Id] & { readonly id: Id } };
for (const [id, operation] of Object.entries(operations)) Object.assign(operation, { id });

export type OperationId = keyof typeof TABLE;
