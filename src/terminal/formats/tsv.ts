import { flatCell } from "../escape.ts";

/** Returns one row: cells separated by tabs, ended by LF. No cell can contain either. */
export function tsvRow(cells: readonly string[]): string {
  return `${cells.map(flatCell).join("\t")}\n`;
}
