import type { JsonObject } from "../../contract/json.ts";
import type { Replacement } from "../../contract/transaction/replacement.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { ApiResult } from "../api-result.ts";
import type { ClientContext } from "../client-context.ts";
import { type ListBounds, type ListPage, listPages } from "../pagination/list-pages.ts";
import { readOne } from "../read.ts";
import { apiRequest, type WriteFacts } from "../request.ts";
import { write } from "../write.ts";

export interface TransactionsClient {
  /** Lists a relayer's transactions, newest first. Services before v1.6 ignore `status` and return all of them. */
  list(relayerId: string, bounds?: ListBounds, status?: string): AsyncIterable<ListPage>;
  get(relayerId: string, id: string): Promise<ApiResult<Transaction>>;
  getByNonce(relayerId: string, nonce: string): Promise<ApiResult<Transaction>>;
  /** Sends a transaction. Never sent again once it may have left. */
  send(relayerId: string, body: JsonObject, facts?: WriteFacts): Promise<ApiResult<Transaction>>;
  /** Replaces a transaction. Never sent again once it may have left. `before` is the transaction's previous state. */
  replace(relayerId: string, id: string, body: Replacement, facts?: WriteFacts): Promise<ApiResult<Transaction>>;
  /**
   * Requests a cancellation. An accepted request is not a canceled transaction: the response shows the status so far.
   */
  cancel(relayerId: string, id: string, facts?: WriteFacts): Promise<ApiResult<Transaction>>;
  quote(relayerId: string, body: JsonObject): Promise<ApiResult>;
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
