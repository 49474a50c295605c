import type { Transaction } from "../../contract/transaction.ts";
import type { Call } from "../../flow/call.ts";
import type { Choice } from "../../terminal/prompts.ts";
import { choiceRows } from "../choice-rows.ts";
import { newestTransactions } from "./newest.ts";

/** How many are offered, the newest: what waits to be replaced is among them. */
const OFFERED = 100;

/** The newest transactions of the relayer that was named before; nothing where the service has no list of them. */
export async function transactionChoices(call: Call): Promise<readonly Choice<string>[] | undefined> {
  const [relayerId = ""] = call.operands;
  const { client } = await call.session();
  const found = await newestTransactions(client, relayerId, OFFERED);
  return found && choiceRows(found.map(rowOf));
}

function rowOf({ id, status, nonce, to }: Transaction) {
  const about = [status, nonce === undefined || nonce === null ? "" : `nonce ${nonce}`, to && `to ${to}`];
  return { value: id, about };
}
