import { wireAmount } from "../../../contract/amount.ts";
import { grouped } from "../../../contract/decimal.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isPending } from "../../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../../errors.ts";
import type { BlockLine } from "../../../terminal/view.ts";
import { COIN_TIMEOUT } from "../../../timing.ts";
import { lines } from "../../cells.ts";
import type { Call } from "../../command.ts";
import { pendingNow } from "./pending-now.ts";

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

/** Returns the lower nonces of pending transactions, in order. */
async function noncesInFront(call: Call, relayerId: string, record: Transaction): Promise<bigint[]> {
  const nonce = isPending(record) ? wireAmount(record.nonce) : undefined;
  if (nonce === undefined) return [];
  const { briefly } = await call.session();
  try {
    const pending = await pendingNow(briefly(COIN_TIMEOUT), relayerId);
    const nonces = pending.flatMap((each) => wireAmount(each.nonce) ?? []).filter((each) => each < nonce);
    return nonces.sort((one, other) => (one < other ? -1 : 1));
  } catch (error) {
    if (!(error instanceof RelayctlError) || call.app.interrupt.aborted) throw error;
    return [];
  }
}
