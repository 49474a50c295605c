import { idProblem } from "../../contract/id.ts";
import type { Transaction } from "../../contract/transaction.ts";
import { RelayctlError } from "../../errors.ts";
import type { Call } from "../../flow/call.ts";
import type { Choice } from "../../terminal/prompts.ts";
import { choiceRows } from "../choice-rows.ts";

/** How many are offered, the newest: what waits to be replaced is among them. */
const OFFERED = 100;

/**
 * The newest transactions of the relayer that was named before. Nothing where the service has no such list, as in
 * interface.md.
 */
export async function transactionChoices(call: Call): Promise<readonly Choice<string>[] | undefined> {
  const [relayerId = ""] = call.operands;
  if (idProblem(relayerId)) return undefined;
  const { client } = await call.session();
  try {
    const found: Transaction[] = [];
    const pages = client.tx.list(relayerId, { page: 1, perPage: OFFERED });
    for await (const { items } of pages) found.push(...(items as Transaction[]));
    return choiceRows(found.map(rowOf));
  } catch (error) {
    if (error instanceof RelayctlError && isMissingRoute(error, relayerId)) return undefined;
    throw error;
  }
}

function rowOf({ id, status, nonce, to }: Transaction) {
  const about = [status, nonce === undefined || nonce === null ? "" : `nonce ${nonce}`, to && `to ${to}`];
  return { value: id, about };
}

function isMissingRoute({ http, message }: RelayctlError, relayerId: string): boolean {
  return [404, 405, 501].includes(http?.status ?? 0) && !message.includes(relayerId);
}
