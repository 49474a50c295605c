import { itemPattern } from "./item-pattern.ts";
import type { Described, ItemPatterns } from "./item-patterns.ts";
import { isJsonObject, type JsonObject, type JsonValue, keysOf } from "./values.ts";

/** The known structure of items that match a pattern. */
export interface KnownItem extends Described {
  names: ReadonlySet<string>;
  /** The maximum number of values in an item. */
  values: number;
}

/** The known structure of the items of all lists that one client has read. */
export type KnownItems = ItemPatterns<KnownItem>;

export function createKnownItems(): KnownItems {
  return { known: [], describe };
}

function describe(example: JsonObject): KnownItem | undefined {
  const source = itemPattern(example);
  return source === undefined ? undefined : { source, names: new Set(keysOf(example)), values: mostValues(example) };
}

/** Returns the maximum number of values; undefined with a nested list, whose length may differ. */
function mostValues(value: JsonValue): number {
  if (Array.isArray(value)) return Number.POSITIVE_INFINITY;
  if (!isJsonObject(value)) return 1;
  return keysOf(value).reduce((sum, name) => sum + mostValues(value[name] ?? null), 1);
}
