import type { Client } from "../../../client/client.ts";
import type { Transaction } from "../../../contract/transaction.ts";
import { PENDING_STATUSES } from "../../../contract/transaction-state.ts";
import { withStatus } from "../with-status.ts";

/**
 * What is pending, sent or submitted and not being cancelled, oldest first. The states are asked for in the order in
 * which a transaction passes through them, so that none is missed while it moves on.
 */
export async function pendingTransactions(client: Client, relayerId: string): Promise<Transaction[]> {
  const found = new Map<string, Transaction>();
  for (const status of PENDING_STATUSES) {
    for await (const { items } of withStatus(status, client.tx.list(relayerId, {}, status))) {
      for (const item of items as Transaction[]) found.set(item.id, item);
    }
  }
  return [...found.values()].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}

/** Times of the service are written alike, so that their texts are ordered as they are. */
function placeOf({ created_at, id }: Transaction): string {
  return `${typeof created_at === "string" ? created_at : ""} ${id}`;
}
