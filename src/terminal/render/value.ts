import { isJsonObject, type JsonObject, type JsonValue, prettyJson } from "../../contract/json.ts";
import { usageError } from "../../errors.ts";
import { type Escaping, escapeJson, escapePipedJson } from "../escape.ts";
import { csvRow, delimitedKeyValues, tsvRow } from "../formats/delimited.ts";
import { ndjsonLine } from "../formats/ndjson.ts";
import { yamlText } from "../formats/yaml.ts";
import type { OutputFormat } from "../output-options.ts";
import { type Printer, printerColors } from "../printer.ts";
import { flatPathValue, leafPathsOfAll, pathValueText } from "../select/path.ts";

export interface ValueOptions {
  format: OutputFormat | "keyvalue";
  headers: boolean | undefined;
  /** Fixed columns for flat formats (default: every leaf of the items). */
  columns?: readonly string[] | undefined;
}

export async function printValue(value: JsonValue, options: ValueOptions, out: Printer): Promise<void> {
  const text = await valueInFormat(value, options);
  const isJson = JSON_FORMATS.includes(options.format);
  await out.stdout.write(isJson ? await shownJsonValue(text, out) : text);
}

/** Returns JSON for a stream: escaped and colored for a terminal, unchanged for a pipe. */
export async function shownJsonValue(json: string, out: Printer, escaping?: Escaping): Promise<string> {
  if (!out.stdout.isTerminal) return json;
  const shown = escapeJson(json, escaping);
  return out.color ? await printerColors(shown) : shown;
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
      if (isJsonObject(value)) return delimitedKeyValues(value, columns);
      return rowsText(value, columns, tsvRow, headers ?? false);
    case "tsv":
      return rowsText(value, columns, tsvRow, headers ?? false);
    default:
      return jsonValueText(value);
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
    return items.map((item) => row(Array.isArray(item) ? item.map(pathValueText) : [pathValueText(item)])).join("");
  const paths = columns ?? leafPathsOfAll(objects);
  if (objects.length * paths.length > MOST_CELLS) throw tooManyCells(objects.length, paths.length);
  const rows = objects.map((item) => row(paths.map((path) => flatPathValue(item, path))));
  return (headers && rows.length > 0 ? row(paths) : "") + rows.join("");
}

/** Items without common fields give a cell for each pair of item and field, nearly all of them empty. */
const MOST_CELLS = 20_000_000;

function tooManyCells(rows: number, columns: number): Error {
  const rule = `the result is a table of ${rows} rows and ${columns} columns; choose columns with --query, or use -o json`;
  return usageError([{ where: "-o", rule }]);
}

export function valueId(value: JsonObject): string {
  return flatPathValue(value, "id") || flatPathValue(value, "name");
}

export function jsonValueText(value: JsonValue): string {
  return `${escapePipedJson(prettyJson(value))}\n`;
}

/** Returns an item as in `jsonText` of its list. JSON has no line endings inside texts. */
export function indentedValue(item: JsonValue): string {
  return `  ${escapePipedJson(prettyJson(item)).replaceAll("\n", "\n  ")}`;
}
