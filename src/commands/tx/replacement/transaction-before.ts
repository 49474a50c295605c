import type { ApiResult } from "../../../client/api-result.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { stateOf } from "../../../contract/transaction/transaction-state.ts";
import type { Call } from "../../command.ts";
import { isMissingRoute } from "../../read-before.ts";
import { kindNote } from "../body/kind-note.ts";
import { isCancelledAlready } from "../cancellation.ts";
import type { Earlier, Target } from "../transaction-write.ts";
import { refuseUnlessPending } from "./pending-only.ts";

interface ToChange extends Target {
  verb: "replace" | "cancel";
}

/**
 * Reads the transaction before it is replaced or canceled: the receipt must show its hash, since the record shows only
 * the newest (facts 13.1). Nothing if the service has no such route; a transaction that is missing or final is an error
 * at once.
 * @param look the command that reads the transaction
 */
export async function transactionBefore(
  call: Call,
  { verb, ...target }: ToChange,
  look: string,
): Promise<Earlier | undefined> {
  const read = await readTransaction(call, target);
  if (!read) {
    await call.say("note: this service cannot return a single transaction; its current values are unknown");
    return undefined;
  }
  const earlier = { ...read, state: stateOf(read.data) };
  const isSettled = verb === "cancel" && isCancelledAlready(earlier.data, earlier.state) !== undefined;
  if (!isSettled) refuseUnlessPending(earlier, `${verb}_transaction`, look);
  for (const note of kindNote(verb, earlier.state.kind)) await call.say(note);
  return earlier;
}

async function readTransaction(call: Call, { relayerId, id }: Target): Promise<ApiResult<Transaction> | undefined> {
  const { client } = await call.session();
  try {
    return await client.tx.get(relayerId, id);
  } catch (error) {
    if (!isMissingRoute(error, [relayerId, id])) throw error;
    return undefined;
  }
}
