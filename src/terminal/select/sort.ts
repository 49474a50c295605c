import { numberOf } from "../../contract/decimal.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { ResourceView } from "../view.ts";
import { compareOperands, compareTexts } from "./compare.ts";
import { fieldReader } from "./derived.ts";
import { knownField } from "./fields.ts";
import type { Operand } from "./operand.ts";
import { valueText } from "./path.ts";

/** An order of items by a dotted path. The sort is stable. */
export interface Sort {
  (items: readonly JsonObject[]): JsonObject[];
  readonly field: string;
}

/** Parses `FIELD` or `-FIELD`. Integers compare exactly; items without it come last. @throws RelayctlError usage */
export function parseSort(text: string, resource: ResourceView, now = 0): Sort {
  const descending = text.startsWith("-");
  const field = knownField(descending ? text.slice(1) : text, "--sort", resource);
  const read = fieldReader(resource, field, now);
  const sorted = (items: readonly JsonObject[]) => {
    const keyed = items.map((item) => ({ item, key: findSortKey(read(item) ?? null) }));
    return keyed.sort((left, right) => compareKeys(left.key, right.key, descending)).map(({ item }) => item);
  };
  return Object.assign(sorted, { field });
}

function findSortKey(value: JsonValue): Operand | null {
  if (value === null) return null;
  const number = numberOf(value);
  return number ? { text: "", number } : { text: valueText(value) };
}

function compareKeys(left: Operand | null, right: Operand | null, descending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return descending ? compareOperands(right, left) : compareOperands(left, right);
}

/** Sorts a list by ID, for output that is written at the end: the service's order is not stable (facts 2). */
export function byId(items: readonly JsonObject[]): JsonObject[] {
  const ids = items.map(({ id }) => (typeof id === "string" ? id : valueText(id)));
  if (ids.every((id, index) => index === 0 || compareTexts(ids[index - 1] ?? "", id) <= 0)) return [...items];
  const keyed = items.map((item, index) => ({ item, id: ids[index] ?? "" }));
  return keyed.sort((left, right) => compareTexts(left.id, right.id)).map(({ item }) => item);
}

/** Sorts the items of each context by ID, and leaves the contexts in their order. */
export function byIdInContexts(items: readonly JsonObject[]): JsonObject[] {
  const groups = new Map<JsonValue | undefined, JsonObject[]>();
  for (const item of items) {
    const group = groups.get(item.context);
    if (group) group.push(item);
    else groups.set(item.context, [item]);
  }
  return [...groups.values()].flatMap(byId);
}
