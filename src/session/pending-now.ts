import type { Client } from "../client/client.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { isPending, PENDING_STATUSES } from "../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../errors.ts";
import { kept } from "./listed.ts";

/** Returns the pending transactions of a relayer, oldest first; a list that changes is read again by status. */
export async function pendingNow(client: Pick<Client, "tx">, relayerId: string): Promise<Transaction[]> {
  try {
    return (await kept<Transaction>(client.tx.list(relayerId), isPending)).reverse();
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure !== "server") throw error;
    const found = new Map<string, Transaction>();
    for (const status of PENDING_STATUSES) {
      const live = await kept<Transaction>(client.tx.list(relayerId, {}, status), isPending, found.values());
      for (const item of live) found.set(item.id, item);
    }
    return [...found.values()].reverse();
  }
}
