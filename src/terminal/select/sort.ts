import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { ResourceView } from "../view.ts";
import { compareTexts, compareValues } from "./compare.ts";
import { knownField } from "./known-field.ts";
import { flatValue, valueAt } from "./path.ts";

/** An order of items. Equal ones stay as they are. */
export type Sort = (items: readonly JsonObject[]) => JsonObject[];

/**
 * Reads `FIELD` or `-FIELD`. Integers are compared exactly; items without the field come last in both directions.
 * @throws RelayctlError usage
 */
export function parseSort(text: string, resource: ResourceView): Sort {
  const descending = text.startsWith("-");
  const path = knownField(descending ? text.slice(1) : text, "--sort", resource);
  return (items) => {
    const keyed = items.map((item) => ({ item, key: valueAt(item, path) ?? null }));
    return keyed.sort((left, right) => compareKeys(left.key, right.key, descending)).map(({ item }) => item);
  };
}

function compareKeys(left: JsonValue, right: JsonValue, descending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return descending ? compareValues(right, left) : compareValues(left, right);
}

/** The order of every list that is written whole, since the service has none of its own (service-facts 2). */
export const byId: Sort = (items) => {
  const keyed = items.map((item) => ({ item, id: flatValue(item, "id") }));
  return keyed.sort((left, right) => compareTexts(left.id, right.id)).map(({ item }) => item);
};
