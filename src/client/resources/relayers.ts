import type { JsonObject } from "../../contract/json.ts";
import type { Balance, Relayer, UpdateRelayerRequest } from "../../contract/resources/relayer.ts";
import type { ApiResult } from "../api-result.ts";
import type { ClientContext } from "../client-context.ts";
import { getNamed } from "../find.ts";
import { callJsonRpc } from "../json-rpc.ts";
import { type ListBounds, type ListPage, listPages } from "../pagination/list-pages.ts";
import { readOne } from "../read.ts";
import { RELAYER } from "../read-back/target.ts";
import { apiRequest, type WriteFacts } from "../request.ts";
import { createNamed, type Gone, remove, write } from "../write.ts";

export interface RelayersClient {
  /** Lists every page, or the requested page; complete, without duplicates, in the service's order. */
  list(bounds?: ListBounds): AsyncIterable<ListPage>;
  /** Reads a relayer by its direct route, or from the list; with `byRoute` never from the list. */
  get(id: string, options?: { byRoute?: boolean }): Promise<ApiResult<Relayer>>;
  /** Creates a relayer. Without an ID the client generates one, so that a lost response can be settled. */
  create(body: JsonObject, facts?: WriteFacts): Promise<ApiResult<Relayer>>;
  update(id: string, patch: UpdateRelayerRequest, facts?: WriteFacts): Promise<ApiResult<Relayer>>;
  delete(id: string): Promise<Gone>;
  status(id: string): Promise<ApiResult>;
  /** Returns the balance in the smallest unit; a `bigint` above 2^53. */
  balance(id: string): Promise<ApiResult<Balance>>;
  /**
   * Sends JSON-RPC through the relayer and returns the whole response, including its `result`. Throws a JSON-RPC error
   * with status 200, and rejects a response with another ID than the request.
   * @param options.withNewId whether the request gets an ID that no other request has
   */
  rpc(id: string, request: JsonObject, options?: { withNewId?: boolean }): Promise<ApiResult>;
  sign(id: string, body: JsonObject): Promise<ApiResult>;
  signTypedData(id: string, body: JsonObject): Promise<ApiResult>;
  signTransaction(id: string, body: JsonObject): Promise<ApiResult>;
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
