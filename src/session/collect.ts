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
    return (await collectByStatus(client, relayerId, PENDING_STATUSES)).reverse();
  }
}

/** Reads lists by status, undefined for all; a transaction that changes its status can be in two of them. */
export async function collectByStatus(
  { tx }: Pick<Client, "tx">,
  relayerId: string,
  statuses: readonly (string | undefined)[],
  isWanted: (transaction: Transaction) => boolean = isPending,
): Promise<Transaction[]> {
  const found = new Map<string, Transaction>();
  for (const status of statuses)
    for (const item of await collectItems<Transaction>(tx.list(relayerId, {}, status), isWanted, found.values()))
      found.set(item.id, item);
  return [...found.values()];
}
