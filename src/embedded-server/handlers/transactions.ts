import type { JsonValue } from "../../contract/json.ts";
import { PENDING_STATUSES, STATUSES } from "../../contract/transaction/transaction.ts";
import { type Handler, pagedListReply } from "../handler.ts";
import { transactionsOf } from "../lifecycle/numbers.ts";
import { Refusal } from "../refusal.ts";
import { createCollection, type Resource } from "../state/collection.ts";
import { type FindTransaction, lookUpRelayer, ownTransaction, servedKind } from "../transaction/lookup.ts";

/** Lists transactions newest first; `status` filters by one state, ignoring case (facts 2 and 3.4). */
export const listTransactions: Handler = async ({ ids: [relayerId = ""], query, store }) =>
  store.read((state) => {
    lookUpRelayer(state, relayerId);
    const status = statusQuery(query);
    const found = transactionsOf(state, relayerId).filter((transaction) => hasStatus(transaction, status));
    const ordered = newestFirst(found, status === "confirmed" ? "confirmed_at" : "created_at");
    const first = status === undefined ? 0 : 1;
    return pagedListReply(createCollection(ordered), query, (transaction) => transaction, first);
  });

/** Returns whether a transaction has the status. A pending cancellation hides it from open ones (facts 2). */
function hasStatus({ status, is_canceled }: Resource, requested: string | undefined): boolean {
  if (requested === undefined) return true;
  return status === requested && !(is_canceled === true && NOT_FINAL.includes(requested));
}

const NOT_FINAL = [...PENDING_STATUSES, "mined"];

function statusQuery(query: URLSearchParams): string | undefined {
  const [status, ...more] = query.getAll("status");
  const isKnown = status === undefined || STATUSES.some((known) => known === status.toLowerCase());
  if (isKnown && more.length === 0) return status?.toLowerCase();
  const why = isKnown ? "duplicate field `status`" : `unknown transaction status: ${status}`;
  const message = `Query deserialize error: ${why}`;
  throw new Refusal(400, message, { service: { plain: true } });
}

/** Reads a transaction. Not in the interface; facts 3.4. */
export function transactionGetHandler(find: FindTransaction): Handler {
  return async ({ ids: [relayerId = "", id = ""], store }) =>
    store.read((state) => {
      lookUpRelayer(state, relayerId);
      return { data: find(state, relayerId, id) };
    });
}

export const getTransaction = transactionGetHandler(ownTransaction);

/** Reads a transaction by nonce (facts 3.4): the newer of a failed one and the one in its gap. */
export const getTransactionByNonce: Handler = async ({ ids: [relayerId = "", nonce = ""], store }) => {
  if (!/^[0-9]+$/.test(nonce))
    throw new Refusal(404, `can not parse "${nonce}" to a u64`, { service: { plain: true } });
  return store.read((state) => {
    if (servedKind(lookUpRelayer(state, relayerId)) !== "evm")
      throw new Refusal(501, "Nonce lookup only supported for EVM networks");
    const [found] = newestFirst(transactionsOf(state, relayerId).filter((each) => String(each.nonce) === nonce));
    if (!found) throw new Refusal(404, `Transaction with nonce ${nonce} not found`);
    return { data: found };
  });
};

/** Sorts by this time field, newest first (facts 2). */
function newestFirst(transactions: readonly Resource[], field = "created_at"): Resource[] {
  return transactions.toSorted((one, other) => compareDates(other[field], one[field]));
}

function compareDates(one: JsonValue | undefined, other: JsonValue | undefined): number {
  const [first, second] = [String(one), String(other)];
  return first < second ? -1 : Number(first > second);
}
