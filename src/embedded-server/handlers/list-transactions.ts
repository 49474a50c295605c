import { PENDING_STATUSES } from "../../contract/transaction/transaction-state.ts";
import type { Handler } from "../handler.ts";
import { transactionsOf } from "../lifecycle/nonces.ts";
import { listReply } from "../paging.ts";
import { Refusal } from "../refusal.ts";
import { createCollection, type Resource } from "../state/collection.ts";
import { relayerOf } from "../transaction/lookup.ts";
import { newestFirst } from "../transaction/order.ts";

/** Lists transactions newest first; `status` filters by one state, ignoring case (facts 2 and 3.4). */
export const listTransactions: Handler = async ({ ids: [relayerId = ""], query, store }) =>
  store.read((state) => {
    relayerOf(state, relayerId);
    const status = statusOf(query);
    const found = transactionsOf(state, relayerId).filter((transaction) => hasStatus(transaction, status));
    const ordered = newestFirst(found, status === "confirmed" ? "confirmed_at" : "created_at");
    const first = status === undefined ? 0 : 1;
    return listReply(createCollection(ordered), query, (transaction) => transaction, first);
  });

/**
 * Returns whether a transaction has the requested status. A pending cancellation hides a transaction from the non-final
 * ones (facts 2).
 */
function hasStatus({ status, is_canceled }: Resource, requested: string | undefined): boolean {
  if (requested === undefined) return true;
  return status === requested && !(is_canceled === true && NOT_FINAL.includes(requested));
}

const NOT_FINAL = [...PENDING_STATUSES, "mined"];
/** The statuses of facts 5.1. */
const STATUSES = [...NOT_FINAL, "confirmed", "failed", "canceled", "expired"];

function statusOf(query: URLSearchParams): string | undefined {
  const [status, ...more] = query.getAll("status");
  const isKnown = status === undefined || STATUSES.includes(status.toLowerCase());
  if (isKnown && more.length === 0) return status?.toLowerCase();
  const why = isKnown ? "duplicate field `status`" : `unknown transaction status: ${status}`;
  const message = `Query deserialize error: ${why}`;
  throw new Refusal(400, message, { service: { plain: true } });
}
