import { flatCell } from "../escape.ts";

/** One row: cells with tabs between them, ended by LF. No cell can hold either. */
export function tsvRow(cells: readonly string[]): string {
  return `${cells.map(flatCell).join("\t")}\n`;
}
