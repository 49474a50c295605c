import type { Client } from "../../client/client.ts";
import { collectItems } from "../../client/pagination/collect.ts";
import { ifRouted } from "../../client/read-named.ts";
import { idProblem } from "../../contract/id.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";

/** Returns the newest transactions of a relayer. Undefined if the service lacks this list, as in the interface. */
export async function newestTransactions(
  client: Client,
  relayerId: string,
  most: number,
): Promise<Transaction[] | undefined> {
  if (idProblem(relayerId)) return undefined;
  return await ifRouted(collectItems<Transaction>(client.tx.list(relayerId, { page: 1, perPage: most })), relayerId);
}
