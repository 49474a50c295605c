import { isJsonObject, type JsonObject, type JsonValue, prettyJson } from "../../contract/json.ts";
import { usageError } from "../../errors.ts";
import { pipedJson, visibleJson } from "../escape.ts";
import { csvRow, keyValueText, tsvRow } from "../formats/delimited.ts";
import { ndjsonLine } from "../formats/ndjson.ts";
import { yamlText } from "../formats/yaml.ts";
import type { OutputFormat } from "../output-options.ts";
import { inColor, type Printer } from "../printer.ts";
import { flatValue, leafPathsOfAll, valueText } from "../select/path.ts";
import type { Escaping } from "../text/replace-unsafe.ts";

export interface ValueOptions {
  format: OutputFormat | "keyvalue";
  headers: boolean | undefined;
  /** Fixed columns for flat formats (default: every leaf of the items). */
  columns?: readonly string[] | undefined;
}

export async function printValue(value: JsonValue, options: ValueOptions, out: Printer): Promise<void> {
  const text = await valueInFormat(value, options);
  const isJson = JSON_FORMATS.includes(options.format);
  await out.stdout.write(isJson ? await shownJson(text, out) : text);
}

/** Returns JSON for a stream: escaped and colored for a terminal, unchanged for a pipe. */
export async function shownJson(json: string, out: Printer, escaping?: Escaping): Promise<string> {
  if (!out.stdout.isTerminal) return json;
  const shown = visibleJson(json, escaping);
  return out.color ? await inColor(shown) : shown;
}

const JSON_FORMATS: readonly string[] = ["json", "ndjson", "table", "raw"];

async function valueInFormat(value: JsonValue, { format, headers, columns }: ValueOptions): Promise<string> {
  switch (format) {
    case "ndjson":
      return (Array.isArray(value) ? value : [value]).map(ndjsonLine).join("");
    case "yaml":
      return yamlText(value);
    case "csv":
      return rowsText(value, columns, csvRow, headers ?? true);
    case "keyvalue":
      if (isJsonObject(value)) return keyValueText(value, columns);
      return rowsText(value, columns, tsvRow, headers ?? false);
    case "tsv":
      return rowsText(value, columns, tsvRow, headers ?? false);
    default:
      return jsonText(value);
  }
}

function rowsText(
  value: JsonValue,
  columns: readonly string[] | undefined,
  row: (cells: readonly string[]) => string,
  headers: boolean,
): string {
  const items = Array.isArray(value) ? value : [value];
  const objects = items.filter(isJsonObject);
  if (objects.length < items.length)
    return items.map((item) => row(Array.isArray(item) ? item.map(valueText) : [valueText(item)])).join("");
  const paths = columns ?? leafPathsOfAll(objects);
  if (objects.length * paths.length > MOST_CELLS) throw tooManyCells(objects.length, paths.length);
  const rows = objects.map((item) => row(paths.map((path) => flatValue(item, path))));
  return (headers && rows.length > 0 ? row(paths) : "") + rows.join("");
}

/** Items without common fields give a cell for each pair of item and field, nearly all of them empty. */
const MOST_CELLS = 20_000_000;

function tooManyCells(rows: number, columns: number): Error {
  const rule = `the result is a table of ${rows} rows and ${columns} columns; choose columns with --query, or use -o json`;
  return usageError([{ where: "-o", rule }]);
}

export function idOf(value: JsonObject): string {
  return flatValue(value, "id") || flatValue(value, "name");
}

export function jsonText(value: JsonValue): string {
  return `${pipedJson(prettyJson(value))}\n`;
}

/** Returns an item as in `jsonText` of its list. JSON has no line endings inside texts. */
export function indentedItem(item: JsonValue): string {
  return `  ${pipedJson(prettyJson(item)).replaceAll("\n", "\n  ")}`;
}
