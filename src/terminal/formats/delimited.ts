import type { JsonObject } from "../../contract/json.ts";
import { escapeFlatCell } from "../escape.ts";
import { flatPathValue, leafPaths } from "../select/path.ts";

/** The start of a spreadsheet's formula (OWASP, CSV injection), including full-width characters. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const PLAIN_NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Returns a row (RFC 4180), ended with CRLF, quoted if needed, escaped like tsv, and never a formula. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const isFormula = FORMULA.test(text) && !PLAIN_NUMBER.test(text);
  const cell = (isFormula ? "'" : "") + escapeFlatCell(text);
  return /[",]|^ | $/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Returns a row of cells separated by tabs, ended by LF, which no cell contains. */
export function tsvRow(cells: readonly string[]): string {
  return `${cells.map(escapeFlatCell).join("\t")}\n`;
}

/** Returns a resource for scripts: `key<TAB>value` for each path, or without paths, for every leaf. */
export function delimitedKeyValues(item: JsonObject, paths: readonly string[] = leafPaths(item)): string {
  return paths.map((path) => tsvRow([path, flatPathValue(item, path)])).join("");
}
