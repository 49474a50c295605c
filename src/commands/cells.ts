import { holdsIdentifier } from "../contract/identifier.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import { writeJson } from "../contract/json.ts";
import type { BlockLine, Cell, TableColumn } from "../terminal/view.ts";

/** Returns a value for display; `–` if it is missing. */
export function cell(value: JsonValue | undefined): Cell {
  if (value === null || value === undefined || value === "") return { text: "–", tone: "faint" };
  if (typeof value === "boolean") return { text: value ? "yes" : "no" };
  return { text: typeof value === "string" ? value : writeJson(value) };
}

/** Returns a column that shows one field unchanged. */
export function column<T extends JsonObject>(header: string, key: string): TableColumn<T> {
  return { header, cell: (item) => cell(item[key]), reads: [key], whole: holdsIdentifier(key) };
}

/** Returns one line of a block per value: the first with the label, the others below it. */
export function lines(label: string, values: readonly Cell[], indent?: true): BlockLine[] {
  return values.map((value, index) => ({ label: index === 0 ? label : "", value, ...(indent && { indent }) }));
}
