import type { Transaction } from "../../contract/transaction.ts";
import { isBeingCancelled, statusOf } from "../../contract/transaction-state.ts";
import { aligned } from "../../terminal/aligned.ts";
import { shownMember } from "./body-rows.ts";
import { isOver } from "./pending-only.ts";

const ROWS = ["status", "nonce", "to", "value", "data", "hash"];

/** What is to be cancelled, for the question. */
export function cancellationLines(before: Transaction | undefined, symbol: string | undefined): string[] {
  const keys = ROWS.filter((key) => (before?.[key] ?? null) !== null);
  return aligned(keys.map((key) => [`  ${key}`, shownMember(key, before?.[key], symbol)]));
}

/**
 * Says that a cancellation is done or under way, when it is: a second one changes nothing (service-facts 5.5). One that
 * came too late is neither, nor is one of which it is not known yet what was mined.
 */
export function isCancelledAlready(transaction: Transaction): string | undefined {
  const status = statusOf(transaction);
  if (status === "canceled") return `transaction ${transaction.id} is already canceled`;
  return isBeingCancelled(transaction) && !isOver(transaction)
    ? `cancellation of ${transaction.id} was already requested`
    : undefined;
}
