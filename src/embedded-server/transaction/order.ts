import type { JsonValue } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";

/** The newest first, by the time of this member (facts 2). */
export function newestFirst(transactions: readonly Resource[], field = "created_at"): Resource[] {
  return transactions.toSorted((one, other) => compare(other[field], one[field]));
}

/** Moments are all written alike, so that their texts are in the order of time. */
function compare(one: JsonValue | undefined, other: JsonValue | undefined): number {
  const [first, second] = [String(one), String(other)];
  return first < second ? -1 : Number(first > second);
}
