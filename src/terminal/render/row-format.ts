import type { JsonObject } from "../../contract/json.ts";
import { visibleJson } from "../escape.ts";
import { csvRow } from "../formats/csv.ts";
import { nameLine } from "../formats/name.ts";
import { ndjsonLine } from "../formats/ndjson.ts";
import { inPieces } from "../formats/pieces.ts";
import { tsvRow } from "../formats/tsv.ts";
import type { OutputFormat } from "../output-options.ts";
import { pickFields } from "../select/fields.ts";
import { flatValue } from "../select/path.ts";

/** A format in which every item is a row of its own, so that it can be written before the next one is known. */
export interface RowFormat {
  /** Stands before the first row. */
  header: string;
  row(item: JsonObject): string;
}

export interface RowOptions {
  /** The columns of tsv and csv, as dotted paths. */
  columns: readonly string[];
  fields: readonly string[] | undefined;
  /** The dotted path of the id. */
  id: string;
  headers: boolean | undefined;
  toTerminal: boolean;
}

/** The rows of a format, or nothing for a format that is written whole. */
export function rowFormat(format: OutputFormat, options: RowOptions): RowFormat | undefined {
  const { columns, fields, id, headers, toTerminal } = options;
  const cells = (item: JsonObject) => columns.map((path) => flatValue(item, path));
  switch (format) {
    case "ndjson": {
      const shown = toTerminal ? visibleJson : (line: string) => line;
      return { header: "", row: (item) => shown(ndjsonLine(fields ? pickFields(item, fields) : item)) };
    }
    case "tsv":
      return { header: headers === true ? tsvRow(columns) : "", row: (item) => tsvRow(cells(item)) };
    case "csv":
      return { header: headers === false ? "" : csvRow(columns), row: (item) => csvRow(cells(item)) };
    case "name":
      return { header: "", row: (item) => nameLine(item, id) };
    default:
      return undefined;
  }
}

/** The rows of many items, in pieces. The header stands before the first one, and nowhere when there is none. */
export function* rowPieces(
  { header, row }: RowFormat,
  items: readonly JsonObject[],
  withHeader: boolean,
): Generator<string> {
  if (withHeader && items.length > 0 && header !== "") yield header;
  yield* inPieces(items, row);
}
