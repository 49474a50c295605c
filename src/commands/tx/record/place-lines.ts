import { nonceOf, provesNonce, slotsOf } from "../../../chain/queue/slots.ts";
import { grouped } from "../../../contract/decimal.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isPending } from "../../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../../errors.ts";
import type { BlockLine } from "../../../terminal/view.ts";
import { COIN_TIMEOUT } from "../../../timing.ts";
import { lines } from "../../cells.ts";
import type { Call } from "../../command.ts";
import { kept } from "../../listed.ts";

/**
 * Returns how many of its relayer's transactions are in front of a pending one. Empty where no terminal shows it, or if
 * the list cannot be read soon.
 */
export async function placeLines(call: Call, relayerId: string, record: Transaction): Promise<BlockLine[]> {
  if (!call.app.stdout.isTerminal || !["table", undefined].includes(call.output.format)) return [];
  const inFront = await noncesInFront(call, relayerId, record);
  const [first] = inFront;
  if (first === undefined) return [];
  const words = `${grouped(inFront.length)} ${inFront.length === 1 ? "transaction" : "transactions"}, from nonce ${first}`;
  return lines("in front", [{ text: words, tone: "warn" }]);
}

/** Returns the lower nonces of pending transactions that no mined one proves to be used, in order. */
async function noncesInFront(call: Call, relayerId: string, record: Transaction): Promise<bigint[]> {
  const nonce = isPending(record) ? nonceOf(record) : undefined;
  if (nonce === undefined) return [];
  const { briefly } = await call.session();
  try {
    const client = briefly(COIN_TIMEOUT);
    const records = await kept<Transaction>(client.tx.list(relayerId), (each) => isPending(each) || provesNonce(each));
    const { open } = slotsOf({ records, chain: undefined });
    return open.flatMap((each) => nonceOf(each) ?? []).filter((each) => each < nonce);
  } catch (error) {
    if (!(error instanceof RelayctlError) || call.app.interrupt.aborted) throw error;
    return [];
  }
}
