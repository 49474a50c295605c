import type { Answer } from "../../client/answer.ts";
import type { Transaction } from "../../contract/transaction.ts";
import { RelayctlError } from "../../errors.ts";
import type { Call } from "../command.ts";

/**
 * The transaction as it is before it is replaced: the receipt must name the hash that it had, since the record shows only
 * the newest (service-facts 13.1). Nothing for a dry run and where the service has no such route; a transaction that is
 * not there is an error at once.
 */
export async function transactionBefore(
  call: Call,
  relayerId: string,
  id: string,
): Promise<Answer<Transaction> | undefined> {
  if (call.common.dryRun || call.common.curl) return undefined;
  const { client } = await call.session();
  try {
    return await client.tx.get(relayerId, id);
  } catch (error) {
    if (!(error instanceof RelayctlError) || !isMissingRoute(error, relayerId, id)) throw error;
    await call.say("note: this service cannot be asked for a transaction; it is replaced unseen");
    return undefined;
  }
}

/** A 404 or 405 that names neither id may only say that there is no such route. */
function isMissingRoute(error: RelayctlError, relayerId: string, id: string): boolean {
  const status = error.http?.status;
  return (status === 404 || status === 405) && !error.message.includes(id) && !error.message.includes(relayerId);
}
