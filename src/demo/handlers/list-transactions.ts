import type { Handler } from "../handler.ts";
import { listAnswer } from "../paging.ts";
import { Refusal, relayerMissing } from "../refusal.ts";
import { createCollection, type Resource } from "../state/collection.ts";

/** service-facts 2 and 3.4: newest first; `status` keeps those in one state, whatever the case. */
export const listTransactions: Handler = async ({ ids: [relayerId = ""], query, store }) =>
  store.read(({ relayers, transactions }) => {
    if (!relayers.get(relayerId)) throw relayerMissing(relayerId);
    const asked = statusOf(query);
    const found = transactions
      .all()
      .filter(({ relayer_id, status }) => relayer_id === relayerId && (asked === undefined || status === asked))
      .sort((one, other) => compare(createdAt(other), createdAt(one)));
    return listAnswer(createCollection(found), query, (transaction) => transaction);
  });

/** service-facts 5.1. */
const STATUSES = ["pending", "sent", "submitted", "mined", "confirmed", "failed", "canceled", "expired"];

function statusOf(query: URLSearchParams): string | undefined {
  const asked = query.get("status");
  if (asked === null || STATUSES.includes(asked.toLowerCase())) return asked?.toLowerCase();
  throw new Refusal(400, `Query deserialize error: unknown transaction status: ${asked}`);
}

function createdAt({ created_at }: Resource): string {
  return String(created_at);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
