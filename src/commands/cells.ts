import { holdsIdentifier } from "../contract/identifier.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import { writeJson } from "../contract/json.ts";
import type { BlockLine, Cell, TableColumn } from "../terminal/view.ts";

/** A value as a person reads it; `–` for one that is not there. */
export function cell(value: JsonValue | undefined): Cell {
  if (value === null || value === undefined || value === "") return { text: "–", tone: "faint" };
  if (typeof value === "boolean") return { text: value ? "yes" : "no" };
  return { text: typeof value === "string" ? value : writeJson(value) };
}

/** A column that shows one member as it is. */
export function column<T extends JsonObject>(header: string, key: string): TableColumn<T> {
  return { header, cell: (item) => cell(item[key]), reads: [key], whole: holdsIdentifier(key) };
}

/** One line of a block for each value that is there: the first with the label, the others under it. */
export function lines(label: string, values: readonly Cell[], indent?: true): BlockLine[] {
  return values.map((value, index) => ({ label: index === 0 ? label : "", value, ...(indent && { indent }) }));
}
