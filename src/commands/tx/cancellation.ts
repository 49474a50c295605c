import type { Transaction } from "../../contract/transaction.ts";
import { statusOf } from "../../contract/transaction-state.ts";
import { aligned } from "../../terminal/aligned.ts";
import { shownMember } from "./body-rows.ts";

const ROWS = ["status", "nonce", "to", "value", "data", "hash"];

/** What is to be cancelled, for the question. */
export function cancellationLines(before: Transaction | undefined): string[] {
  const keys = ROWS.filter((key) => (before?.[key] ?? null) !== null);
  return aligned(keys.map((key) => [`  ${key}`, shownMember(key, before?.[key])]));
}

/** Says that a cancellation is done or under way, when it is: a second one changes nothing (service-facts 5.5). */
export function isCancelledAlready(transaction: Transaction): string | undefined {
  if (statusOf(transaction) === "canceled") return `transaction ${transaction.id} is canceled already`;
  return transaction.is_canceled === true ? `the cancellation of ${transaction.id} is asked for already` : undefined;
}
