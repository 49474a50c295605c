import type { Currency } from "../../contract/amount.ts";
import type { Transaction, TransactionState } from "../../contract/transaction/transaction.ts";
import type { Row } from "../../message.ts";
import { alignWidths } from "../../terminal/width.ts";
import { shownBodyField } from "./body-rows.ts";

const ROWS = ["status", "nonce", "to", "value", "data", "hash"];

export function cancellationLines(before: Transaction | undefined, coin: Currency): Row[] {
  const keys = ROWS.filter((key) => (before?.[key] ?? null) !== null);
  return alignWidths(keys.map((key) => [key, shownBodyField(key, before?.[key], coin)]));
}

/** Returns a note that a cancellation is done or in progress, unless it may have come too late (facts 5.5). */
export function isCanceledAlready({ id }: Transaction, state: TransactionState): string | undefined {
  if (state.status === "canceled") return `transaction ${id} is already canceled`;
  return state.cancellation === "stands" && !state.isOver ? `cancellation of ${id} was already requested` : undefined;
}
