import type { JsonObject } from "../../contract/json.ts";
import { escapeFlatCell } from "../escape.ts";
import { csvRow, tsvRow } from "../formats/delimited.ts";
import { ndjsonLine } from "../formats/ndjson.ts";
import type { OutputFormat } from "../output-options.ts";
import { pickFields } from "../select/fields.ts";
import { flatPathValue } from "../select/path.ts";

/** A format with one row per item, written before the next item is known. */
export interface RowFormat {
  header: string;
  row(item: JsonObject): string;
}

export interface RowOptions {
  /** The columns of tsv and csv, as dotted paths. */
  columns: readonly string[];
  fields: readonly string[] | undefined;
  id: string;
  headers: boolean | undefined;
}

/** Returns a format's rows; undefined for a format that is written whole. */
export function rowFormat(format: OutputFormat, options: RowOptions): RowFormat | undefined {
  const { columns, fields, id, headers } = options;
  const cells = (item: JsonObject) => columns.map((path) => flatPathValue(item, path));
  switch (format) {
    case "ndjson":
      return { header: "", row: (item) => ndjsonLine(fields ? pickFields(item, fields) : item) };
    case "tsv":
      return { header: headers === true ? tsvRow(columns) : "", row: (item) => tsvRow(cells(item)) };
    case "csv":
      return { header: headers === false ? "" : csvRow(columns), row: (item) => csvRow(cells(item)) };
    case "name":
      return { header: "", row: (item) => rowNameLine(item, id) };
    default:
      return undefined;
  }
}

const AT_ONCE = 500;
const MOST_CHARACTERS = 2 ** 18;

/** Yields the rows of many items in pieces, limited by items and characters so that a page fits into memory. The header comes before the first row. */
export function* formatRowPieces(
  { header, row }: RowFormat,
  items: readonly JsonObject[],
  withHeader: boolean,
): Generator<string> {
  if (withHeader && items.length > 0 && header !== "") yield header;
  let piece = "";
  let count = 0;
  for (const item of items) {
    piece += row(item);
    if (++count < AT_ONCE && piece.length < MOST_CHARACTERS) continue;
    yield piece;
    piece = "";
    count = 0;
  }
  if (count > 0) yield piece;
}

export function rowNameLine(item: JsonObject, id = "id"): string {
  return `${escapeFlatCell(flatPathValue(item, id) || flatPathValue(item, "name"))}\n`;
}
