import type { Client } from "../../client/client.ts";
import { findLacksRoute } from "../../client/find.ts";
import { idProblem } from "../../contract/id.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";

/** Returns the newest transactions of a relayer. Undefined if the service lacks this list, as in the interface. */
export async function newestTransactions(
  client: Client,
  relayerId: string,
  most: number,
): Promise<Transaction[] | undefined> {
  if (idProblem(relayerId)) return undefined;
  try {
    const found: (readonly Transaction[])[] = [];
    const pages = client.tx.list(relayerId, { page: 1, perPage: most });
    for await (const { items } of pages) found.push(items);
    return found.flat();
  } catch (error) {
    if (findLacksRoute(error, relayerId)) return undefined;
    throw error;
  }
}
