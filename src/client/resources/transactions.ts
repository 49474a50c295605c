import type { JsonObject } from "../../contract/json.ts";
import type { Replacement } from "../../contract/replacement.ts";
import type { Transaction } from "../../contract/transaction.ts";
import type { Answer } from "../answer.ts";
import { ask } from "../ask.ts";
import type { Link } from "../link.ts";
import { readOne } from "../read.ts";
import { type ListBounds, type ListPage, listPages } from "../walk.ts";
import { write } from "../write.ts";
import type { WriteFacts } from "../write-facts.ts";

export interface TransactionsClient {
  /** A relayer's transactions, newest first. Services before v1.6 ignore `status` and answer all of them. */
  list(relayerId: string, bounds?: ListBounds, status?: string): AsyncIterable<ListPage>;
  get(relayerId: string, id: string): Promise<Answer<Transaction>>;
  getByNonce(relayerId: string, nonce: string): Promise<Answer<Transaction>>;
  /** Sent at most once after it may have left. */
  send(relayerId: string, body: JsonObject): Promise<Answer<Transaction>>;
  /** Sent at most once after it may have left. `before` is the transaction as it was. */
  replace(relayerId: string, id: string, body: Replacement, facts?: WriteFacts): Promise<Answer<Transaction>>;
  /** Accepted is not done: the answer says what became of it so far. */
  cancel(relayerId: string, id: string): Promise<Answer<Transaction>>;
  quote(relayerId: string, body: JsonObject): Promise<Answer>;
  build(relayerId: string, body: JsonObject): Promise<Answer>;
}

export function transactionsClient(link: Link): TransactionsClient {
  const on = (relayerId: string) => ({ relayer_id: relayerId });
  const at = (relayerId: string, id: string) => ({ ...on(relayerId), transaction_id: id });
  return {
    list: (relayerId, bounds = {}, status) =>
      listPages({ ...ask("tx.list", on(relayerId)), ...(status !== undefined && { query: { status } }) }, bounds, link),
    get: (relayerId, id) => readOne(ask("tx.get", at(relayerId, id)), link),
    getByNonce: (relayerId, nonce) => readOne(ask("tx.get-by-nonce", { ...on(relayerId), nonce }), link),
    send: (relayerId, body) => write(ask("tx.send", on(relayerId), body), link),
    replace: (relayerId, id, body, facts) => write(ask("tx.replace", at(relayerId, id), body), link, facts),
    cancel: (relayerId, id) => write(ask("tx.cancel", at(relayerId, id)), link),
    quote: (relayerId, body) => readOne(ask("tx.quote", on(relayerId), body), link),
    build: (relayerId, body) => readOne(ask("tx.build", on(relayerId), body), link),
  };
}
