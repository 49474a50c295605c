import type { Answer } from "../../client/answer.ts";
import type { Transaction } from "../../contract/transaction.ts";
import type { Call } from "../command.ts";
import { isMissingRoute } from "../read-before.ts";

/**
 * The transaction as it is before it is replaced: the receipt must name the hash that it had, since the record shows only
 * the newest (service-facts 13.1). Nothing where the service has no such route; a transaction that is not there is an
 * error at once.
 */
export async function transactionBefore(
  call: Call,
  relayerId: string,
  id: string,
): Promise<Answer<Transaction> | undefined> {
  const { client } = await call.session();
  try {
    return await client.tx.get(relayerId, id);
  } catch (error) {
    if (!isMissingRoute(error, [relayerId, id])) throw error;
    await call.say("note: this service cannot be asked for a transaction; what it holds is not known");
    return undefined;
  }
}
