import type { JsonObject } from "../../contract/json.ts";
import { flatCell } from "../escape.ts";
import { flatValue, leafPaths } from "../select/path.ts";

/** The start of a spreadsheet's formula (OWASP, CSV injection), including full-width characters. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const PLAIN_NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Returns a row (RFC 4180), ended with CRLF, quoted if needed, escaped like tsv, and never a formula. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const isFormula = FORMULA.test(text) && !PLAIN_NUMBER.test(text);
  const cell = (isFormula ? "'" : "") + flatCell(text);
  return /[",]|^ | $/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Returns a row of cells separated by tabs, ended by LF, which no cell contains. */
export function tsvRow(cells: readonly string[]): string {
  return `${cells.map(flatCell).join("\t")}\n`;
}

/** Returns a resource for scripts: `key<TAB>value` for each path, or without paths, for every leaf. */
export function keyValueText(item: JsonObject, paths: readonly string[] = leafPaths(item)): string {
  return paths.map((path) => tsvRow([path, flatValue(item, path)])).join("");
}
