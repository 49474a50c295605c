import type { Client } from "../client/client.ts";
import { collectItems } from "../client/pagination/collect.ts";
import type { JsonObject } from "../contract/json.ts";
import { isPending, PENDING_STATUSES, type Transaction } from "../contract/transaction/transaction.ts";
import { RelayctlError } from "../errors.ts";
import type { Page } from "../terminal/view.ts";

type ReadPage = Pick<Page, "items" | "keep">;

export async function collectById<T extends JsonObject & { id: string }>(pages: AsyncIterable<ReadPage>): Promise<T[]> {
  return (await collectItems<T>(pages)).sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Reads the whole list: one by status leaves out what is being canceled (facts 2). */
export async function collectPendingOnce(client: Pick<Client, "tx">, relayerId: string): Promise<Transaction[]> {
  return (await collectItems<Transaction>(client.tx.list(relayerId), isPending)).reverse();
}

/** Returns a relayer's pending transactions, oldest first; a changing list is read again by status. */
export async function collectPending(client: Pick<Client, "tx">, relayerId: string): Promise<Transaction[]> {
  try {
    return await collectPendingOnce(client, relayerId);
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure !== "server") throw error;
    const found = new Map<string, Transaction>();
    for (const status of PENDING_STATUSES) {
      const live = await collectItems<Transaction>(client.tx.list(relayerId, {}, status), isPending, found.values());
      for (const item of live) found.set(item.id, item);
    }
    return [...found.values()].reverse();
  }
}
