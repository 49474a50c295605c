import { type JsonObject, parseJson, writeJson } from "../../contract/json.ts";
import { compareTexts } from "../select/compare.ts";
import { fieldsReadBy } from "../select/derived.ts";
import { valueText } from "../select/path.ts";
import type { Selection } from "../select/selection.ts";
import { byId, byIdInContexts } from "../select/sort.ts";
import type { ListView } from "../view.ts";
import { HeldTexts } from "./held-texts.ts";

/** The order in which the items of a list are printed. */
export interface ListOrder {
  /** The memory in use. */
  readonly bytes: number;
  add(item: JsonObject): void;
  /** Returns the positions of the items to print; undefined if they are all items as they were added. */
  indexes(): readonly number[] | undefined;
}

/** Holds only what items are ordered by: the sorted field, the ID, and the context. */
export function createListOrder(view: ListView, selection: Selection): ListOrder {
  const names = orderedBy(view, selection);
  const keys = new HeldTexts();
  let last = "";
  let isInOrder = names.length === 0 || (!selection.sort && !view.inContexts);
  return {
    get bytes() {
      return keys.bytes;
    },
    add(item) {
      if (names.length === 0) return;
      keys.add(writeJson(withMembers(item, names)));
      const next = valueText(item.id);
      isInOrder &&= compareTexts(last, next) <= 0;
      last = next;
    },
    indexes() {
      if (isInOrder) return undefined;
      const items = Array.from({ length: keys.count }, (_, index) => parseJson(keys.textAt(index)) as JsonObject);
      const indexOf = new Map(items.map((item, index) => [item, index]));
      return printedItems(items, view, selection).map((item) => indexOf.get(item) ?? 0);
    },
  };
}

/** Returns the members that decide about the order of items; none if it is that of the pages. */
function orderedBy({ resource, inOrder, inContexts }: ListView, { sort }: Selection): readonly string[] {
  if (!sort) return inOrder ? [] : inContexts ? ["id", "context"] : ["id"];
  const sorted = fieldsReadBy(resource, sort.field).map((path) => path.split(".", 1).join());
  return [...new Set(["id", "context", ...sorted])];
}

function withMembers(item: JsonObject, names: readonly string[]): JsonObject {
  const members: JsonObject = {};
  for (const name of names) {
    const value = item[name];
    if (value !== undefined) members[name] = value;
  }
  return members;
}

/** Returns the items in the order in which they are printed, and of sorted items only those up to the limit. */
export function printedItems(
  items: readonly JsonObject[],
  { inOrder, inContexts }: ListView,
  { sort, limit }: Selection,
): JsonObject[] {
  const ordered = inOrder ? [...items] : inContexts ? byIdInContexts(items) : byId(items);
  return sort ? sort(ordered).slice(0, limit) : ordered;
}
