import type { Handler } from "../handler.ts";
import { transactionsOf, UNDER_WAY } from "../lifecycle/nonces.ts";
import { listReply } from "../paging.ts";
import { Refusal } from "../refusal.ts";
import { createCollection, type Resource } from "../state/collection.ts";
import { relayerOf } from "../transaction/lookup.ts";
import { newestFirst } from "../transaction/order.ts";

/** Lists transactions newest first; `status` filters by one state, ignoring case (facts 2 and 3.4). */
export const listTransactions: Handler = async ({ ids: [relayerId = ""], query, store }) =>
  store.read((state) => {
    relayerOf(state, relayerId);
    const asked = statusOf(query);
    const found = transactionsOf(state, relayerId).filter((transaction) => isAsked(transaction, asked));
    const ordered = newestFirst(found, asked === "confirmed" ? "confirmed_at" : "created_at");
    const first = asked === undefined ? 0 : 1;
    return listReply(createCollection(ordered), query, (transaction) => transaction, first);
  });

/**
 * Returns whether a transaction has the requested status. A pending cancellation hides a transaction from the non-final
 * ones (facts 2).
 */
function isAsked({ status, is_canceled }: Resource, asked: string | undefined): boolean {
  if (asked === undefined) return true;
  return status === asked && !(is_canceled === true && NOT_FINAL.includes(asked));
}

const NOT_FINAL = [...UNDER_WAY, "mined"];
/** The statuses of facts 5.1. */
const STATUSES = [...NOT_FINAL, "confirmed", "failed", "canceled", "expired"];

function statusOf(query: URLSearchParams): string | undefined {
  const [asked, ...more] = query.getAll("status");
  const isKnown = asked === undefined || STATUSES.includes(asked.toLowerCase());
  if (isKnown && more.length === 0) return asked?.toLowerCase();
  const why = isKnown ? "duplicate field `status`" : `unknown transaction status: ${asked}`;
  const message = `Query deserialize error: ${why}`;
  throw new Refusal(400, message, { service: { plain: true } });
}
