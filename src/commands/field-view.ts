import type { JsonObject } from "../contract/json.ts";
import { type FieldTable, orderedBy } from "../contract/resources/field.ts";
import type { BlockLine, ResourceView, TableColumn } from "../terminal/view.ts";
import { cell, column, lines } from "./cells.ts";

/**
 * The columns and paths of a resource, from its table of fields.
 * @param own the columns that show more than the value of one field, by field
 */
export function columnsOf<T extends JsonObject>(
  table: FieldTable,
  own: Readonly<Record<string, TableColumn<T>>> = {},
): Pick<ResourceView<T>, "table" | "flat" | "fields"> {
  return {
    table: orderedBy(table, "table").map((name) => own[name] ?? column<T>(table[name]?.label ?? name, name)),
    flat: Object.entries(table).flatMap(([name, { flat }]) => (flat === true ? name : (flat ?? []))),
    fields: Object.entries(table).flatMap(([name, { holds, paths = [] }]) => (holds ? [name, ...paths] : [])),
  };
}

/**
 * The lines about one resource, from its table of fields.
 * @param own the lines that show more than the value of one field, by field
 */
export function linesOf(
  table: FieldTable,
  item: JsonObject,
  own: Readonly<Record<string, () => readonly BlockLine[]>> = {},
): BlockLine[] {
  return Object.entries(table).flatMap(([name, { label }]) => {
    if (label === undefined) return [];
    return own[name]?.() ?? lines(label, [cell(item[name])]);
  });
}
