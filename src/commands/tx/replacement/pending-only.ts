import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isPending, PENDING_STATUSES, STATUSES, statusOf } from "../../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../../errors.ts";
import { outcomeOf } from "../record/outcome.ts";

/**
 * Rejects what the service would reject, in its own words: no transaction returns to an earlier state (facts 5.1, 5.4).
 * @param action the service's word for it
 * @param look the command that shows the transaction
 * @throws RelayctlError conflict; nothing was sent
 */
export function refuseUnlessPending(
  transaction: Transaction,
  action: "replace_transaction" | "cancel_transaction",
  look: string,
): void {
  if (!isOver(transaction)) return;
  const status = statusOf(transaction);
  const expected = PENDING_STATUSES.map(capitalised).join(", ");
  const words = `Invalid transaction state for ${action}. Current: ${capitalised(status)}, Expected one of: [${expected}]`;
  const meaning = outcomeOf(transaction)?.words;
  const because = [...(meaning === undefined ? [] : [meaning]), "nothing was sent"];
  throw new RelayctlError("conflict", words, { because, hint: look, retryable: false });
}

/** Returns whether its state is known to allow no more changes. */
export function isOver(transaction: Transaction): boolean {
  return isKnown(statusOf(transaction)) && !isPending(transaction);
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function isKnown(status: string): boolean {
  return (STATUSES as readonly string[]).includes(status);
}
