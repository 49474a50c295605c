import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { statusOf } from "../../../contract/transaction/transaction-state.ts";

/** What the hash from before a replacement or a cancellation shows about a record (facts 5.5). */
export function previousHashNotes(transaction: Transaction, was: string | undefined): string[] {
  const { hash } = transaction;
  if (was === undefined) return [];
  if (typeof hash !== "string") return ["the record has no hash to compare"];
  const isSame = hash.toLowerCase() === was.toLowerCase();
  if (statusOf(transaction) !== "confirmed")
    return [isSame ? "the hash is unchanged" : "the hash is another than before"];
  if (isSame) return ["the hash is the one from before: the original was mined, whatever the record shows"];
  return ["the hash is another than before: what was mined is not the original; the chain has the last word"];
}
