import { flatCell } from "../escape.ts";

/** What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection); the full-width signs count too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const PLAIN_NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** One row after RFC 4180: ended by CRLF, quoted where needed; escaped as tsv is, and never a formula. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const isFormula = FORMULA.test(text) && !PLAIN_NUMBER.test(text);
  const cell = (isFormula ? "'" : "") + flatCell(text);
  return /[",]|^ | $/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
