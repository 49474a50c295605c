import type { ApiResult } from "../../../client/api-result.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { kindOfTransaction } from "../../../contract/transaction/transaction-state.ts";
import type { Call } from "../../command.ts";
import { isMissingRoute } from "../../read-before.ts";
import { kindNote } from "../body/kind-note.ts";
import { isCancelledAlready } from "../cancellation.ts";
import { refuseUnlessPending } from "./pending-only.ts";

interface ToChange {
  relayerId: string;
  /** Of the transaction. */
  id: string;
  verb: "replace" | "cancel";
}

/**
 * Reads the transaction before it is replaced or canceled: the receipt must show its hash, since the record shows only
 * the newest (facts 13.1). Nothing if the service has no such route; a transaction that is missing or final is an error
 * at once.
 */
export async function transactionBefore(call: Call, asked: ToChange): Promise<ApiResult<Transaction> | undefined> {
  const before = await readTransaction(call, asked);
  if (!before) {
    await call.say("note: this service cannot return a single transaction; its current values are unknown");
    return undefined;
  }
  const { verb } = asked;
  const isSettled = verb === "cancel" && isCancelledAlready(before.data) !== undefined;
  if (!isSettled) refuseUnlessPending(before.data, `${verb}_transaction`, await lookAt(call, asked));
  for (const note of kindNote(verb, kindOfTransaction(before.data))) await call.say(note);
  return before;
}

/** The command that shows the transaction. */
export async function lookAt(call: Call, { relayerId, id }: Pick<ToChange, "relayerId" | "id">): Promise<string> {
  const { flags } = await call.session();
  return commandLine(...flags, "tx", "get", relayerId, id);
}

async function readTransaction(
  call: Call,
  { relayerId, id }: Pick<ToChange, "relayerId" | "id">,
): Promise<ApiResult<Transaction> | undefined> {
  const { client } = await call.session();
  try {
    return await client.tx.get(relayerId, id);
  } catch (error) {
    if (!isMissingRoute(error, [relayerId, id])) throw error;
    return undefined;
  }
}
