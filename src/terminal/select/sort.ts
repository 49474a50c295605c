import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { ResourceView } from "../view.ts";
import { compareTexts, compareValues } from "./compare.ts";
import { knownField } from "./known-field.ts";
import { valueAt, valueText } from "./path.ts";

/** An order of items by what stands at a dotted path. Equal ones stay as they are. */
export interface Sort {
  (items: readonly JsonObject[]): JsonObject[];
  readonly field: string;
}

/**
 * Reads `FIELD` or `-FIELD`. Integers are compared exactly; items without the field come last in both directions.
 * @throws RelayctlError usage
 */
export function parseSort(text: string, resource: ResourceView): Sort {
  const descending = text.startsWith("-");
  const field = knownField(descending ? text.slice(1) : text, "--sort", resource);
  const sorted = (items: readonly JsonObject[]) => {
    const keyed = items.map((item) => ({ item, key: valueAt(item, field) ?? null }));
    return keyed.sort((left, right) => compareKeys(left.key, right.key, descending)).map(({ item }) => item);
  };
  return Object.assign(sorted, { field });
}

function compareKeys(left: JsonValue, right: JsonValue, descending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return descending ? compareValues(right, left) : compareValues(left, right);
}

/** The order of every list that is written whole, since the service has none of its own (service-facts 2). */
export function byId(items: readonly JsonObject[]): JsonObject[] {
  const ids = items.map(({ id }) => (typeof id === "string" ? id : valueText(id)));
  if (ids.every((id, index) => index === 0 || compareTexts(ids[index - 1] ?? "", id) <= 0)) return [...items];
  const keyed = items.map((item, index) => ({ item, id: ids[index] ?? "" }));
  return keyed.sort((left, right) => compareTexts(left.id, right.id)).map(({ item }) => item);
}
