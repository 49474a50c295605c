import { setMaxListeners } from "node:events";
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
import type { Replacement } from "../contract/transaction/replacement-price.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { rescue } from "../errors.ts";
import type { ClientContext } from "./client-context.ts";
import { withJsonRpcKind } from "./json-rpc.ts";
import { type ListBounds, type ListPage, listPages } from "./pagination/list-pages.ts";
import { readAny, readOne, readPublic } from "./read.ts";
import { isStellarReplacement } from "./read-back/compare-with-response.ts";
import { LOOKUPS, readTarget } from "./read-back/target.ts";
import { readById } from "./read-named.ts";
import { type ApiRequest, type ApiResult, apiRequest, type WriteFacts } from "./request.ts";
import {
  callPlugin,
  type Gone,
  type PluginCall,
  type PluginResult,
  pluginRequest,
  sendWrite,
  writeNamedResource,
} from "./write.ts";

/**
 * A relayer service. Every method rejects with a RelayctlError whose `applied` says whether a write took effect, and never
 * retries a write whose response could have been lost. Besides the listed failures, any method can fail with auth,
 * rate_limited, server, network, or interrupted, and a write with declined if it is refused before it is sent.
 */
export interface Client {
  relayers: RelayersClient;
  tx: TransactionsClient;
  notifications: NotificationsClient;
  signers: SignersClient;
  networks: NetworksClient;
  plugins: PluginsClient;
  server: ServerClient;
  /**
   * Sends any request; the data is not validated, and the response body is as received.
   * @throws RelayctlError any failure of such a request
   */
  request(apiRequest: ApiRequest): Promise<ApiResult>;
  /**
   * Reads any list whose items have IDs, page by page; the request has `list` and no page.
   * @throws RelayctlError any failure to read
   */
  pages(apiRequest: ApiRequest, bounds?: ListBounds): AsyncIterable<ListPage>;
}

export function createClient(clientContext: ClientContext): Client {
  // Each pending request and each wait listens; Node would report more than ten listeners as a leak on stderr.
  setMaxListeners(0, clientContext.interrupt, clientContext.abandon);
  return {
    relayers: relayersClient(clientContext),
    tx: transactionsClient(clientContext),
    notifications: notificationsClient(clientContext),
    signers: signersClient(clientContext),
    networks: networksClient(clientContext),
    plugins: pluginsClient(clientContext),
    server: serverClient(clientContext),
    request: (requested) => sendAny(requested, clientContext),
    pages: (apiRequest, bounds = {}) => listPages(apiRequest, bounds, clientContext),
  };
}

async function sendAny(requested: ApiRequest, clientContext: ClientContext): Promise<ApiResult> {
  const request = withJsonRpcKind(requested);
  return request.operation.kind === "read"
    ? await readAny(request, clientContext)
    : await sendWrite(request, clientContext, await readFacts(request, clientContext));
}

/** Reads the previous hash, if possible: it shows whether a Stellar replacement changed anything (facts 5.4). */
async function readFacts(requested: ApiRequest, clientContext: ClientContext): Promise<WriteFacts> {
  if (!isStellarReplacement(requested)) return {};
  const found = await rescue(readTarget(requested, clientContext), () => undefined);
  return found ? { before: found.data } : {};
}

export interface RelayersClient {
  /** Lists relayers page by page, without duplicates, in the service's order. @throws RelayctlError any failure to read */
  list(bounds?: ListBounds): AsyncIterable<ListPage<Relayer>>;
  /** Reads a relayer by its direct route, or from the list unless `byRoute` is set. @throws RelayctlError not_found */
  get(relayerId: string, options?: { byRoute?: boolean }): Promise<ApiResult<Relayer>>;
  /**
   * Creates a relayer. Without an ID the client generates one, so that a lost response can be settled. Amounts of policies
   * are in the smallest unit.
   * @throws RelayctlError rejected; conflict if the ID or the signer is in use; unknown after a lost response
   */
  create(body: JsonObject, facts?: WriteFacts): Promise<ApiResult<Relayer>>;
  /**
   * Changes the fields of a patch: an absent field stays, and null clears it. Amounts of policies are in the smallest unit.
   * @throws RelayctlError not_found; rejected; conflict in its current state; mismatch if the response shows other values
   */
  update(relayerId: string, patch: UpdateRelayerRequest, facts?: WriteFacts): Promise<ApiResult<Relayer>>;
  /** Deletes a relayer. @throws RelayctlError not_found; conflict if it has pending transactions; unknown */
  delete(relayerId: string): Promise<Gone>;
  /**
   * Reads the service's own status of a relayer: balance in the smallest unit, nonce, pending transactions.
   * @throws RelayctlError not_found
   */
  status(relayerId: string): Promise<ApiResult>;
  /** Returns the balance in the smallest unit; a `bigint` above 2^53. @throws RelayctlError not_found */
  balance(relayerId: string): Promise<ApiResult<Balance>>;
  /**
   * Sends JSON-RPC through the relayer and returns the whole response, including its `result`. Throws a JSON-RPC error
   * with status 200, and rejects a response with a different ID than the request.
   * @param options.withNewId whether the request gets an ID that no other request has
   * @throws RelayctlError not_found; rejected; unknown if a method that sends may have been applied
   */
  rpc(relayerId: string, request: JsonObject, options?: { withNewId?: boolean }): Promise<ApiResult>;
  /** Signs a message with the relayer's key, and sends no transaction. @throws RelayctlError not_found; rejected */
  sign(relayerId: string, body: JsonObject): Promise<ApiResult>;
  /** Signs EIP-712 typed data by its hashes, and sends no transaction. @throws RelayctlError not_found; rejected */
  signTypedData(relayerId: string, body: JsonObject): Promise<ApiResult>;
  /** Signs a Solana or Stellar transaction, and does not send it. @throws RelayctlError not_found; rejected */
  signTransaction(relayerId: string, body: JsonObject): Promise<ApiResult>;
}

function relayersClient(clientContext: ClientContext): RelayersClient {
  const on = (id: string) => ({ relayer_id: id });
  return {
    list: (bounds = {}) => listPages(apiRequest("relayers.list"), bounds, clientContext),
    get: (id, options) => readById(LOOKUPS.relayers, id, clientContext, options),
    create: (body, facts) => writeNamedResource("relayers.create", body, clientContext, facts),
    update: (id, patch, facts) => sendWrite(apiRequest("relayers.update", on(id), patch), clientContext, facts),
    delete: (id) => sendWrite(apiRequest("relayers.delete", on(id)), clientContext),
    status: (id) => readOne(apiRequest("relayers.status", on(id)), clientContext),
    balance: (id) => readOne(apiRequest("relayers.balance", on(id)), clientContext),
    rpc(id, request, { withNewId = false } = {}) {
      const body = withNewId ? { ...request, id: clientContext.nextRpcId() } : request;
      return sendAny(apiRequest("relayers.rpc", on(id), body), clientContext);
    },
    sign: (id, body) => readOne(apiRequest("relayers.sign", on(id), body), clientContext),
    signTypedData: (id, body) => readOne(apiRequest("relayers.sign-typed-data", on(id), body), clientContext),
    signTransaction: (id, body) => readOne(apiRequest("relayers.sign-transaction", on(id), body), clientContext),
  };
}

interface TransactionsClient {
  /**
   * Lists a relayer's transactions, newest first. Services before v1.6 ignore `status` and return all of them.
   * @throws RelayctlError any failure to read
   */
  list(relayerId: string, bounds?: ListBounds, status?: string): AsyncIterable<ListPage<Transaction>>;
  /** Reads the record of a transaction; amounts are in the smallest unit. @throws RelayctlError not_found */
  get(relayerId: string, transactionId: string): Promise<ApiResult<Transaction>>;
  /** Reads the record with a nonce. @throws RelayctlError not_found */
  getByNonce(relayerId: string, nonce: string): Promise<ApiResult<Transaction>>;
  /**
   * Sends a transaction, whose amounts are in the smallest unit. Never sent again once it may have left.
   * @throws RelayctlError rejected; conflict if the relayer is paused or disabled; unknown after a lost response
   */
  send(relayerId: string, body: JsonObject, facts?: WriteFacts): Promise<ApiResult<Transaction>>;
  /**
   * Replaces a transaction; amounts are in the smallest unit. Never sent again once it may have left. `before` is the
   * transaction's previous state.
   * @throws RelayctlError not_found; rejected; conflict if it is not pending anymore; unknown after a lost response
   */
  replace(
    relayerId: string,
    transactionId: string,
    body: Replacement,
    facts?: WriteFacts,
  ): Promise<ApiResult<Transaction>>;
  /**
   * Requests a cancellation. An accepted request is not a canceled transaction: the response shows the status so far.
   * @throws RelayctlError not_found; conflict if it is not pending anymore; unknown after a lost response
   */
  cancel(relayerId: string, transactionId: string, facts?: WriteFacts): Promise<ApiResult<Transaction>>;
  /**
   * Quotes the fee of a sponsored Solana or Stellar transaction, in the smallest unit of the fee's token.
   * @throws RelayctlError not_found; rejected
   */
  quote(relayerId: string, body: JsonObject): Promise<ApiResult>;
  /** Builds a sponsored Solana or Stellar transaction, and does not send it. @throws RelayctlError not_found; rejected */
  build(relayerId: string, body: JsonObject): Promise<ApiResult>;
}

function transactionsClient(clientContext: ClientContext): TransactionsClient {
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
    send: (relayerId, body, facts) => sendWrite(apiRequest("tx.send", on(relayerId), body), clientContext, facts),
    replace: (relayerId, id, body, facts) =>
      sendWrite(apiRequest("tx.replace", at(relayerId, id), body), clientContext, facts),
    cancel: (relayerId, id, facts) => sendWrite(apiRequest("tx.cancel", at(relayerId, id)), clientContext, facts),
    quote: (relayerId, body) => readOne(apiRequest("tx.quote", on(relayerId), body), clientContext),
    build: (relayerId, body) => readOne(apiRequest("tx.build", on(relayerId), body), clientContext),
  };
}

interface NotificationsClient {
  /** Lists the notifications, page by page. @throws RelayctlError any failure to read */
  list(bounds?: ListBounds): AsyncIterable<ListPage<Notification>>;
  /** Reads a notification; its signing key is never returned. @throws RelayctlError not_found */
  get(notificationId: string, options?: { byRoute?: boolean }): Promise<ApiResult<Notification>>;
  /**
   * Creates a notification. Without an ID the client generates one, so that a lost response can be settled.
   * @throws RelayctlError rejected; conflict if the ID is in use; unknown after a lost response
   */
  create(body: CreateNotificationRequest, facts?: WriteFacts): Promise<ApiResult<Notification>>;
  /**
   * Changes the fields of a patch: an absent field stays, and null clears it.
   * @throws RelayctlError not_found; rejected; mismatch if the response shows other values
   */
  update(
    notificationId: string,
    patch: UpdateNotificationRequest,
    facts?: WriteFacts,
  ): Promise<ApiResult<Notification>>;
  /** Deletes a notification. @throws RelayctlError not_found; conflict if a relayer uses it; unknown */
  delete(notificationId: string): Promise<Gone>;
}

function notificationsClient(clientContext: ClientContext): NotificationsClient {
  const on = (id: string) => ({ notification_id: id });
  return {
    list: (bounds = {}) => listPages(apiRequest("notifications.list"), bounds, clientContext),
    get: (id, options) => readById(LOOKUPS.notifications, id, clientContext, options),
    create: (body, facts) => writeNamedResource("notifications.create", body, clientContext, facts),
    update: (id, patch, facts) => sendWrite(apiRequest("notifications.update", on(id), patch), clientContext, facts),
    delete: (id) => sendWrite(apiRequest("notifications.delete", on(id)), clientContext),
  };
}

interface SignersClient {
  /** Lists the signers, page by page. @throws RelayctlError any failure to read */
  list(bounds?: ListBounds): AsyncIterable<ListPage<Signer>>;
  /** Reads a signer; its secrets are never returned. @throws RelayctlError not_found */
  get(signerId: string): Promise<ApiResult<Signer>>;
  /**
   * Creates a signer. Without an ID the client generates one, so that a lost response can be settled. No response ever
   * contains its secrets.
   * @throws RelayctlError rejected; conflict if the ID is in use; unknown after a lost response
   */
  create(body: JsonObject, facts?: WriteFacts): Promise<ApiResult<Signer>>;
  /** Deletes a signer. @throws RelayctlError not_found; conflict if a relayer uses it; unknown */
  delete(signerId: string): Promise<Gone>;
}

function signersClient(clientContext: ClientContext): SignersClient {
  return {
    list: (bounds = {}) => listPages(apiRequest("signers.list"), bounds, clientContext),
    get: (id) => readById(LOOKUPS.signers, id, clientContext),
    create: (body, facts) => writeNamedResource("signers.create", body, clientContext, facts),
    delete: (id) => sendWrite(apiRequest("signers.delete", { signer_id: id }), clientContext),
  };
}

export interface NetworksClient {
  /** Lists the networks, page by page. @throws RelayctlError any failure to read */
  list(bounds?: ListBounds): AsyncIterable<ListPage<Network>>;
  /** Reads a network, whose ID is type and name, e.g. `evm:sepolia`. @throws RelayctlError not_found */
  get(networkId: string, options?: { byRoute?: boolean }): Promise<ApiResult<Network>>;
  /**
   * Changes `rpc_urls`, the only field that can be changed; the list is sent whole.
   * @throws RelayctlError not_found; rejected; mismatch if the response shows other values
   */
  update(networkId: string, patch: JsonObject, facts?: WriteFacts): Promise<ApiResult<Network>>;
}

function networksClient(clientContext: ClientContext): NetworksClient {
  return {
    list: (bounds = {}) => listPages(apiRequest("networks.list"), bounds, clientContext),
    get: (id, options) => readById(LOOKUPS.networks, id, clientContext, options),
    update: (id, patch, facts) =>
      sendWrite(apiRequest("networks.update", { network_id: id }, patch), clientContext, facts),
  };
}

interface PluginsClient {
  /** Lists the plugins, page by page. @throws RelayctlError any failure to read */
  list(bounds?: ListBounds): AsyncIterable<ListPage<Plugin>>;
  /** Reads a plugin. @throws RelayctlError not_found */
  get(pluginId: string, options?: { byRoute?: boolean }): Promise<ApiResult<Plugin>>;
  /**
   * Changes the fields of a patch: an absent field stays. `timeout` is in seconds.
   * @throws RelayctlError not_found; rejected; mismatch if the response shows other values
   */
  update(pluginId: string, patch: JsonObject, facts?: WriteFacts): Promise<ApiResult<Plugin>>;
  /**
   * Calls a plugin, and returns its result even if the plugin failed. Never sent again once it may have left: a plugin can
   * do anything.
   * @throws RelayctlError not_found; unknown after a lost response
   */
  call(pluginId: string, given: PluginCall): Promise<PluginResult>;
}

function pluginsClient(clientContext: ClientContext): PluginsClient {
  const on = (id: string) => ({ plugin_id: id });
  return {
    list: (bounds = {}) => listPages(apiRequest("plugins.list"), bounds, clientContext),
    get: (id, options) => readById(LOOKUPS.plugins, id, clientContext, options),
    update: (id, patch, facts) => sendWrite(apiRequest("plugins.update", on(id), patch), clientContext, facts),
    call: (id, given) => callPlugin(pluginRequest(id, given), clientContext),
  };
}

/** What the service reports about itself. The bodies are as received: texts and bare JSON, without an envelope. */
interface ServerClient {
  /** Returns the body `OK`. Sent without the token if the service allows that. @throws RelayctlError server; network */
  health(): Promise<ApiResult>;
  /**
   * Returns data whose `ready` says whether the service is ready: a 503 is a response too.
   * @throws RelayctlError server; network
   */
  ready(): Promise<ApiResult>;
  /** Lists the names of all metrics. @throws RelayctlError any failure to read */
  metrics(): Promise<ApiResult>;
  /** Returns one metric as Prometheus text. @throws RelayctlError not_found */
  metric(name: string): Promise<ApiResult>;
  /** Returns all metrics as Prometheus text. @throws RelayctlError any failure to read */
  scrape(): Promise<ApiResult>;
}

function serverClient(clientContext: ClientContext): ServerClient {
  return {
    health: () => readPublic(apiRequest("server.health"), clientContext),
    ready: () => readPublic(apiRequest("server.ready"), clientContext),
    metrics: () => readAny(apiRequest("server.metrics"), clientContext),
    metric: (name) => readAny(apiRequest("server.metric", { metric: name }), clientContext),
    scrape: () => readAny(apiRequest("server.metrics-scrape"), clientContext),
  };
}
