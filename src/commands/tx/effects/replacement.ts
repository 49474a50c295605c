import { effectTexts } from "../../../contract/effect/texts.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { kindOfTransaction, statusOf } from "../../../contract/transaction/transaction-state.ts";

const STAYS_VALID = `the earlier version ${effectTexts.staysValid}`;

/**
 * Returns what happens to the earlier version, for the prompt. A version without a hash was never signed, and cannot be
 * mined.
 */
export function earlierVersion(before: Transaction): string[] {
  if (typeof before.hash === "string") return [STAYS_VALID];
  return isQueued(before)
    ? ["the earlier version is not signed yet: unless the service signs it first, it can't be mined"]
    : [];
}

/** Returns the state of the earlier version after the replacement, which does not change the status. */
export function earlierVersionNow(after: Transaction, before: Transaction | undefined): string[] {
  if (!before) return [`once signed, ${STAYS_VALID}`];
  if (typeof before.hash === "string") return [STAYS_VALID];
  return isQueued(before) && isPendingNow(after)
    ? ["the earlier version was never signed: it can't be mined anymore"]
    : [];
}

/**
 * Returns a note that the hash in the response is seldom final if an earlier version was broadcast (facts 15.1, 16.2).
 */
export function hashMayChange(after: Transaction, before: Transaction | undefined): string[] {
  const isNew = typeof after.hash === "string" && after.hash !== before?.hash;
  if (!isNew || kindOfTransaction(after) !== "evm" || (before && isQueued(before))) return [];
  return ["services up to v1.8 sign it once more before they broadcast it: the hash above may change"];
}

function isQueued(transaction: Transaction): boolean {
  const { hash } = transaction;
  return kindOfTransaction(transaction) === "evm" && (hash ?? null) === null && isPendingNow(transaction);
}

function isPendingNow(transaction: Transaction): boolean {
  return statusOf(transaction) === "pending";
}
