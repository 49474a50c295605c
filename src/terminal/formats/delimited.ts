import type { JsonObject } from "../../contract/json.ts";
import { flatCell } from "../escape.ts";
import { flatValue, leafPaths } from "../select/path.ts";

/** Matches what a spreadsheet takes for a formula's start (OWASP, CSV injection), with full-width signs. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const PLAIN_NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Returns one row per RFC 4180: ends with CRLF, quoted if needed, escaped like tsv, and never a formula. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const isFormula = FORMULA.test(text) && !PLAIN_NUMBER.test(text);
  const cell = (isFormula ? "'" : "") + flatCell(text);
  return /[",]|^ | $/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Returns one row: cells separated by tabs, ended by LF. No cell can contain either. */
export function tsvRow(cells: readonly string[]): string {
  return `${cells.map(flatCell).join("\t")}\n`;
}

/** Returns one resource for scripts: a line `key<TAB>value` for each path; without paths, for every leaf. */
export function keyValueText(item: JsonObject, paths: readonly string[] = leafPaths(item)): string {
  return paths.map((path) => tsvRow([path, flatValue(item, path)])).join("");
}
