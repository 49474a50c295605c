import type { JsonValue } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";

/** Sorts by this time field, newest first (facts 2). */
export function newestFirst(transactions: readonly Resource[], field = "created_at"): Resource[] {
  return transactions.toSorted((one, other) => compare(other[field], one[field]));
}

/** Compares timestamps as text, which sorts by time since all have the same format. */
function compare(one: JsonValue | undefined, other: JsonValue | undefined): number {
  const [first, second] = [String(one), String(other)];
  return first < second ? -1 : Number(first > second);
}
