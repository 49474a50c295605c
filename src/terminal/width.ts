import { messageText, type Row } from "../message.ts";
import { createGraphemeMeasure, type Measure } from "./text/grapheme-width.ts";

/** Matches characters of one column: ASCII, and the signs that this program itself writes. */
const SINGLE = /^[\x20-\x7e·–…→✓✗●○‖█░]*$/;

export function isSingleWidth(text: string): boolean {
  return SINGLE.test(text);
}

/** Returns the columns of a text: two for CJK and emoji, none for combining marks. @param measure if shared */
export function textWidth(text: string, measure?: Measure): number {
  return isSingleWidth(text) ? text.length : (measure ?? createGraphemeMeasure())(text).width;
}

export function widthUpTo(text: string, most: number, measure?: Measure): number {
  if (text.length <= most || isSingleWidth(text)) return Math.min(most, textWidth(text, measure));
  const { width, end } = (measure ?? createGraphemeMeasure())(text, most);
  return end < text.length ? most : width;
}

/** The widest column, and free text in it. A wider ID, address, or hash overflows, without padding other rows. */
export const WIDEST = 120;

export function columnWidth(texts: Iterable<string>): number {
  const measure = createGraphemeMeasure();
  let widest = 0;
  for (const text of texts) widest = Math.max(widest, widthUpTo(text, WIDEST, measure));
  return widest;
}

export function padToWidth(text: string, width: number): string {
  return text + spacesToWidth(text, width);
}

export function spacesToWidth(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - widthUpTo(text, width)));
}

const GAP = "  ";

export type Cells = readonly (string | Row)[];

/** Aligns cells, each a text or a row, which must be escaped, so that their width is visible. */
export function alignWidths(rows: readonly Cells[], indent = "  "): Row[] {
  const texts = rows.map((row) => row.map(messageText));
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const widths = Array.from({ length: count }, (_, column) => columnWidth(texts.map((row) => row[column] ?? "")));
  return rows.map((cells, at) => {
    const row: string[] = [];
    let gap = indent;
    for (const [column, cell] of cells.entries()) {
      const text = texts[at]?.[column] ?? "";
      const [space = "", ...rest] = typeof cell === "string" ? ["", cell] : cell.row;
      if (text !== "") row.push(gap + space, ...rest);
      gap = (text === "" ? gap : "") + spacesToWidth(text, widths[column] ?? 0) + GAP;
    }
    return { row };
  });
}
