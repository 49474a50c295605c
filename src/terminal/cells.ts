import { timeText } from "../contract/age-text.ts";
import { holdsIdentifier } from "../contract/id.ts";
import { type JsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { type FieldTable, orderedBy } from "../contract/resources/field.ts";
import type { BlockLine, Cell, ResourceView, TableColumn } from "./view.ts";

/** Returns a value for display; `–` if it is missing. */
export function cell(value: JsonValue | undefined): Cell {
  if (value === null || value === undefined || value === "") return { text: "–", tone: "faint" };
  if (typeof value === "boolean") return { text: value ? "yes" : "no" };
  return { text: typeof value === "string" ? value : writeJson(value) };
}

/** Returns a time of the service unchanged, whose age a terminal shows. */
export function timeCell(value: JsonValue | undefined): Cell {
  const time = receivedTime(value);
  return Number.isNaN(time) ? cell(value) : { text: timeText(time), time };
}

export function column<T extends JsonObject>(header: string, key: string): TableColumn<T> {
  return { header, cell: (item) => cell(item[key]), reads: [key], shows: key, whole: holdsIdentifier(key) };
}

export function contextColumn<T extends JsonObject>(): TableColumn<T> {
  return { ...column<T>("context", "context"), whole: true, worth: "always" };
}

/** Returns one block line per value, the first with the label. */
export function lines(label: string, values: readonly Cell[], indent?: true): BlockLine[] {
  return values.map((value, index) => ({ label: index === 0 ? label : "", value, ...(indent && { indent }) }));
}

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

export function plainFields(fields: readonly string[]): Pick<ResourceView, "flat" | "fields" | "block"> {
  const block = (item: JsonObject) => fields.flatMap((field) => lines(field.replaceAll("_", " "), [cell(item[field])]));
  return { flat: fields, fields, block };
}

export function numberColumn<T extends JsonObject>(field: string): TableColumn<T> {
  return { ...column<T>(field, field), align: "right" };
}

/** Returns the view of a response that isn't a resource, with labeled fields. @param shown omits undefined fields */
export function fieldsView(
  one: string,
  fields: readonly string[],
  shown: (field: string, item: JsonObject) => Cell | undefined,
): ResourceView {
  return {
    one,
    many: `${one}s`,
    table: fields.map((field) => column(field, field)),
    flat: fields,
    fields,
    block: (item) =>
      fields.flatMap((field) => {
        const value = shown(field, item);
        return value === undefined ? [] : lines(field.replaceAll("_", " "), [value]);
      }),
  };
}
