import type { Client } from "../../../client/client.ts";
import type { ApiResult } from "../../../client/request.ts";
import { writeWithHint } from "../../../command-support/prepared-write.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import { PENDING_STATUSES, type Transaction } from "../../../contract/transaction/transaction.ts";
import { collectByStatus } from "../../../session/collect.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { withHashInError } from "../../../views/transaction/hashes.ts";

/**
 * Returns a relayer's wanted pending transactions, oldest first. It reads the states in the order that a transaction
 * passes through them, so that none is missed. Then it reads all transactions: a service that filters by state omits
 * those replaced after their cancellation, although they are live (facts 2).
 */
export async function pendingTransactions(
  client: Client,
  relayerId: string,
  isWanted: (transaction: Transaction) => boolean,
): Promise<Transaction[]> {
  const found = await collectByStatus(client, relayerId, [...PENDING_STATUSES, undefined], isWanted);
  return found.sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

/** Returns the sort key of a transaction: the service's timestamps sort as text. */
function sortKey({ created_at, id }: Transaction): string {
  return `${typeof created_at === "string" ? created_at : ""} ${id}`;
}

export async function cancelPendingOne(
  client: Client,
  { flags }: Session,
  relayerId: string,
  facts: { before: Transaction; kind: NetworkKind },
): Promise<ApiResult<Transaction>> {
  const { before } = facts;
  const sent = withHashInError(client.tx.cancel(relayerId, before.id, facts), before);
  return await writeWithHint(sent, commandLine(...flags, "tx", "get", relayerId, before.id));
}
