import type { JsonObject } from "../contract/json.ts";
import type { Network } from "../contract/resources/network.ts";
import type {
  CreateNotificationRequest,
  Notification,
  UpdateNotificationRequest,
} from "../contract/resources/notification.ts";
import type { Plugin } from "../contract/resources/plugin.ts";
import type { Balance, Relayer, UpdateRelayerRequest } from "../contract/resources/relayer.ts";
import type { Signer } from "../contract/resources/signer.ts";
import type { Replacement } from "../contract/transaction/replacement.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import type { ApiResult } from "./api-result.ts";
import type { ClientContext } from "./client-context.ts";
import { getNamed } from "./find.ts";
import { callJsonRpc } from "./json-rpc.ts";
import { type ListBounds, type ListPage, listPages } from "./pagination/list-pages.ts";
import { callPlugin, type PluginCall, type PluginResult, pluginRequest } from "./plugin-call.ts";
import { readAny, readOne, readPublic } from "./read.ts";
import { NETWORK, NOTIFICATION, PLUGIN, RELAYER, SIGNER } from "./read-back/target.ts";
import { apiRequest, type WriteFacts } from "./request.ts";
import { createNamed, type Gone, remove, write } from "./write.ts";

export interface RelayersClient {
  /** Lists every page, or the requested page; complete, without duplicates, in the service's order. */
  list(bounds?: ListBounds): AsyncIterable<ListPage<Relayer>>;
  /** Reads a relayer by its direct route, or from the list; with `byRoute` never from the list. */
  get(relayerId: string, options?: { byRoute?: boolean }): Promise<ApiResult<Relayer>>;
  /** Creates a relayer. Without an ID the client generates one, so that a lost response can be settled. */
  create(body: JsonObject, facts?: WriteFacts): Promise<ApiResult<Relayer>>;
  /** Changes the fields of a patch: an absent field stays, and null clears it. */
  update(relayerId: string, patch: UpdateRelayerRequest, facts?: WriteFacts): Promise<ApiResult<Relayer>>;
  /** Deletes a relayer without pending transactions. */
  delete(relayerId: string): Promise<Gone>;
  /** Reads the service's own status of a relayer: balance in the smallest unit, nonce, pending transactions. */
  status(relayerId: string): Promise<ApiResult>;
  /** Returns the balance in the smallest unit; a `bigint` above 2^53. */
  balance(relayerId: string): Promise<ApiResult<Balance>>;
  /**
   * Sends JSON-RPC through the relayer and returns the whole response, including its `result`. Throws a JSON-RPC error
   * with status 200, and rejects a response with another ID than the request.
   * @param options.withNewId whether the request gets an ID that no other request has
   */
  rpc(relayerId: string, request: JsonObject, options?: { withNewId?: boolean }): Promise<ApiResult>;
  /** Signs a message with the relayer's key, and sends no transaction. */
  sign(relayerId: string, body: JsonObject): Promise<ApiResult>;
  /** Signs EIP-712 typed data by its hashes, and sends no transaction. */
  signTypedData(relayerId: string, body: JsonObject): Promise<ApiResult>;
  /** Signs a Solana or Stellar transaction, and does not send it. */
  signTransaction(relayerId: string, body: JsonObject): Promise<ApiResult>;
}

export function relayersClient(clientContext: ClientContext): RelayersClient {
  const on = (id: string) => ({ relayer_id: id });
  return {
    list: (bounds = {}) => listPages(apiRequest("relayers.list"), bounds, clientContext),
    get: (id, options) => getNamed(RELAYER, id, clientContext, options),
    create: (body, facts) => createNamed("relayers.create", body, clientContext, facts),
    update: (id, patch, facts) => write(apiRequest("relayers.update", on(id), patch), clientContext, facts),
    delete: (id) => remove(apiRequest("relayers.delete", on(id)), clientContext),
    status: (id) => readOne(apiRequest("relayers.status", on(id)), clientContext),
    balance: (id) => readOne(apiRequest("relayers.balance", on(id)), clientContext),
    rpc(id, request, { withNewId = false } = {}) {
      const body = withNewId ? { ...request, id: clientContext.nextRpcId() } : request;
      return callJsonRpc(apiRequest("relayers.rpc", on(id), body), clientContext);
    },
    sign: (id, body) => readOne(apiRequest("relayers.sign", on(id), body), clientContext),
    signTypedData: (id, body) => readOne(apiRequest("relayers.sign-typed-data", on(id), body), clientContext),
    signTransaction: (id, body) => readOne(apiRequest("relayers.sign-transaction", on(id), body), clientContext),
  };
}

export interface TransactionsClient {
  /** Lists a relayer's transactions, newest first. Services before v1.6 ignore `status` and return all of them. */
  list(relayerId: string, bounds?: ListBounds, status?: string): AsyncIterable<ListPage<Transaction>>;
  /** Reads the record of a transaction; amounts are in the smallest unit. */
  get(relayerId: string, transactionId: string): Promise<ApiResult<Transaction>>;
  /** Reads the record with a nonce. */
  getByNonce(relayerId: string, nonce: string): Promise<ApiResult<Transaction>>;
  /** Sends a transaction. Never sent again once it may have left. */
  send(relayerId: string, body: JsonObject, facts?: WriteFacts): Promise<ApiResult<Transaction>>;
  /** Replaces a transaction. Never sent again once it may have left. `before` is the transaction's previous state. */
  replace(
    relayerId: string,
    transactionId: string,
    body: Replacement,
    facts?: WriteFacts,
  ): Promise<ApiResult<Transaction>>;
  /**
   * Requests a cancellation. An accepted request is not a canceled transaction: the response shows the status so far.
   */
  cancel(relayerId: string, transactionId: string, facts?: WriteFacts): Promise<ApiResult<Transaction>>;
  /** Quotes the fee of a sponsored Solana or Stellar transaction. */
  quote(relayerId: string, body: JsonObject): Promise<ApiResult>;
  /** Builds a sponsored Solana or Stellar transaction, and does not send it. */
  build(relayerId: string, body: JsonObject): Promise<ApiResult>;
}

export function transactionsClient(clientContext: ClientContext): TransactionsClient {
  const on = (relayerId: string) => ({ relayer_id: relayerId });
  const at = (relayerId: string, id: string) => ({ ...on(relayerId), transaction_id: id });
  return {
    list: (relayerId, bounds = {}, status) =>
      listPages(
        { ...apiRequest("tx.list", on(relayerId)), ...(status !== undefined && { query: { status } }) },
        bounds,
        clientContext,
      ),
    get: (relayerId, id) => readOne(apiRequest("tx.get", at(relayerId, id)), clientContext),
    getByNonce: (relayerId, nonce) =>
      readOne(apiRequest("tx.get-by-nonce", { ...on(relayerId), nonce }), clientContext),
    send: (relayerId, body, facts) => write(apiRequest("tx.send", on(relayerId), body), clientContext, facts),
    replace: (relayerId, id, body, facts) =>
      write(apiRequest("tx.replace", at(relayerId, id), body), clientContext, facts),
    cancel: (relayerId, id, facts) => write(apiRequest("tx.cancel", at(relayerId, id)), clientContext, facts),
    quote: (relayerId, body) => readOne(apiRequest("tx.quote", on(relayerId), body), clientContext),
    build: (relayerId, body) => readOne(apiRequest("tx.build", on(relayerId), body), clientContext),
  };
}

export interface NotificationsClient {
  /** Lists the notifications, page by page. */
  list(bounds?: ListBounds): AsyncIterable<ListPage<Notification>>;
  /** Reads a notification; its signing key is never returned. */
  get(notificationId: string, options?: { byRoute?: boolean }): Promise<ApiResult<Notification>>;
  /** Creates a notification. Without an ID the client generates one, so that a lost response can be settled. */
  create(body: CreateNotificationRequest, facts?: WriteFacts): Promise<ApiResult<Notification>>;
  /** Changes the fields of a patch: an absent field stays, and null clears it. */
  update(
    notificationId: string,
    patch: UpdateNotificationRequest,
    facts?: WriteFacts,
  ): Promise<ApiResult<Notification>>;
  /** Deletes a notification that no relayer uses. */
  delete(notificationId: string): Promise<Gone>;
}

export function notificationsClient(clientContext: ClientContext): NotificationsClient {
  const on = (id: string) => ({ notification_id: id });
  return {
    list: (bounds = {}) => listPages(apiRequest("notifications.list"), bounds, clientContext),
    get: (id, options) => getNamed(NOTIFICATION, id, clientContext, options),
    create: (body, facts) => createNamed("notifications.create", body, clientContext, facts),
    update: (id, patch, facts) => write(apiRequest("notifications.update", on(id), patch), clientContext, facts),
    delete: (id) => remove(apiRequest("notifications.delete", on(id)), clientContext),
  };
}

export interface SignersClient {
  /** Lists the signers, page by page. */
  list(bounds?: ListBounds): AsyncIterable<ListPage<Signer>>;
  /** Reads a signer; its secrets are never returned. */
  get(signerId: string): Promise<ApiResult<Signer>>;
  /**
   * Creates a signer. Without an ID the client generates one, so that a lost response can be settled. No response ever
   * contains its secrets.
   */
  create(body: JsonObject, facts?: WriteFacts): Promise<ApiResult<Signer>>;
  /** Deletes a signer that no relayer uses. */
  delete(signerId: string): Promise<Gone>;
}

export function signersClient(clientContext: ClientContext): SignersClient {
  return {
    list: (bounds = {}) => listPages(apiRequest("signers.list"), bounds, clientContext),
    get: (id) => getNamed(SIGNER, id, clientContext),
    create: (body, facts) => createNamed("signers.create", body, clientContext, facts),
    delete: (id) => remove(apiRequest("signers.delete", { signer_id: id }), clientContext),
  };
}

export interface NetworksClient {
  /** Lists the networks, page by page. */
  list(bounds?: ListBounds): AsyncIterable<ListPage<Network>>;
  /** Reads a network. @param networkId type and name, e.g. `evm:sepolia` */
  get(networkId: string, options?: { byRoute?: boolean }): Promise<ApiResult<Network>>;
  /** Changes `rpc_urls`, the only field that can be changed; the list is sent whole. */
  update(networkId: string, patch: JsonObject, facts?: WriteFacts): Promise<ApiResult<Network>>;
}

export function networksClient(clientContext: ClientContext): NetworksClient {
  return {
    list: (bounds = {}) => listPages(apiRequest("networks.list"), bounds, clientContext),
    get: (id, options) => getNamed(NETWORK, id, clientContext, options),
    update: (id, patch, facts) => write(apiRequest("networks.update", { network_id: id }, patch), clientContext, facts),
  };
}

export interface PluginsClient {
  /** Lists the plugins, page by page. */
  list(bounds?: ListBounds): AsyncIterable<ListPage<Plugin>>;
  /** Reads a plugin. */
  get(pluginId: string, options?: { byRoute?: boolean }): Promise<ApiResult<Plugin>>;
  /** Changes the fields of a patch: an absent field stays. */
  update(pluginId: string, patch: JsonObject, facts?: WriteFacts): Promise<ApiResult<Plugin>>;
  /** Calls a plugin. Never sent again once it may have left: a plugin can do anything. */
  call(pluginId: string, given: PluginCall): Promise<PluginResult>;
}

export function pluginsClient(clientContext: ClientContext): PluginsClient {
  const on = (id: string) => ({ plugin_id: id });
  return {
    list: (bounds = {}) => listPages(apiRequest("plugins.list"), bounds, clientContext),
    get: (id, options) => getNamed(PLUGIN, id, clientContext, options),
    update: (id, patch, facts) => write(apiRequest("plugins.update", on(id), patch), clientContext, facts),
    call: (id, given) => callPlugin(pluginRequest(id, given), clientContext),
  };
}

/** What the service reports about itself. The bodies are as received: texts and bare JSON, without an envelope. */
export interface ServerClient {
  /** Returns the body `OK`. Sent without the token if the service allows that. */
  health(): Promise<ApiResult>;
  /** Returns data whose `ready` says whether the service is ready: a 503 is a response too. */
  ready(): Promise<ApiResult>;
  /** Lists the names of all metrics. */
  metrics(): Promise<ApiResult>;
  /** Returns one metric as Prometheus text. */
  metric(name: string): Promise<ApiResult>;
  /** Returns all metrics as Prometheus text. */
  scrape(): Promise<ApiResult>;
}

export function serverClient(clientContext: ClientContext): ServerClient {
  return {
    health: () => readPublic(apiRequest("server.health"), clientContext),
    ready: () => readPublic(apiRequest("server.ready"), clientContext),
    metrics: () => readAny(apiRequest("server.metrics"), clientContext),
    metric: (name) => readAny(apiRequest("server.metric", { metric: name }), clientContext),
    scrape: () => readAny(apiRequest("server.metrics-scrape"), clientContext),
  };
}
