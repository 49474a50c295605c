import { PENDING_STATUSES } from "../../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../../errors.ts";
import { outcomeOf } from "../record/outcome.ts";
import type { Earlier } from "../transaction-write.ts";

/**
 * Rejects what the service would reject, in its own words: no transaction returns to an earlier state (facts 5.1, 5.4).
 * @param action the service's word for it
 * @param look the command that shows the transaction
 * @throws RelayctlError conflict; nothing was sent
 */
export function refuseUnlessPending(
  { data: transaction, state }: Earlier,
  action: "replace_transaction" | "cancel_transaction",
  look: string,
): void {
  if (!state.isOver) return;
  const expected = PENDING_STATUSES.map(capitalised).join(", ");
  const words = `Invalid transaction state for ${action}. Current: ${capitalised(state.status)}, Expected one of: [${expected}]`;
  const meaning = outcomeOf(transaction, state)?.words;
  const because = [...(meaning === undefined ? [] : [meaning]), "nothing was sent"];
  throw new RelayctlError("conflict", words, { because, hint: look, retryable: false });
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
