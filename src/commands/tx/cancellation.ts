import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isBeingCancelled, statusOf } from "../../contract/transaction/transaction-state.ts";
import { aligned } from "../../terminal/text/padded.ts";
import { shownField } from "./body/body-rows.ts";
import { isOver } from "./replacement/pending-only.ts";

const ROWS = ["status", "nonce", "to", "value", "data", "hash"];

/** Returns the transaction to cancel, for the prompt. */
export function cancellationLines(before: Transaction | undefined, symbol: string | undefined): string[] {
  const keys = ROWS.filter((key) => (before?.[key] ?? null) !== null);
  return aligned(keys.map((key) => [`  ${key}`, shownField(key, before?.[key], symbol)]));
}

/**
 * Returns a note that a cancellation is done or in progress: a second one changes nothing (facts 5.5). A cancellation
 * that came or may have come too late is neither.
 */
export function isCancelledAlready(transaction: Transaction): string | undefined {
  const status = statusOf(transaction);
  if (status === "canceled") return `transaction ${transaction.id} is already canceled`;
  return isBeingCancelled(transaction) && !isOver(transaction)
    ? `cancellation of ${transaction.id} was already requested`
    : undefined;
}
