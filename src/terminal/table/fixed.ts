import type { Style } from "../style.ts";
import { createMeasure, type Measure } from "../text/grapheme-width.ts";
import type { Cell } from "../view.ts";
import { textWidth, widthUpTo } from "../width.ts";
import { GAP } from "./fit.ts";
import type { Grid, GridColumn } from "./grid.ts";
import { cellsOf } from "./packed-row.ts";

const ROWS_AT_ONCE = 500;
/** Characters per piece, unless a single row has more. */
const LARGE_PIECE = 65_536;
const BETWEEN = " ".repeat(GAP);
/** The place of a sign above the rows. */
export const NO_SIGN = "  ";

/** Yields a table in pieces, at the measured widths. Extra cells of a row are omitted; a wider cell overflows. */
export function* fixedTable({ columns, rows, signs }: Grid, style: Style, headers: boolean): Generator<string> {
  if (headers) yield (signs ? NO_SIGN : "") + headerLine(columns, style);
  const measure = createMeasure();
  let [lines, count] = ["", 0];
  for (const [index, row] of rows.entries()) {
    const sign = signs?.[index];
    lines += `${sign ? `${style.cell(sign)} ` : ""}${tableLine(columns, cellsOf(row), style, measure)}\n`;
    if (++count < ROWS_AT_ONCE && lines.length < LARGE_PIECE) continue;
    yield lines;
    [lines, count] = ["", 0];
  }
  if (count > 0) yield lines;
}

function headerLine(columns: readonly GridColumn[], style: Style): string {
  const cells = columns.map((column) => {
    const text = column.header.toUpperCase();
    return padded(style.faint(text), column.width - textWidth(text), column.right);
  });
  return `${cells.join(BETWEEN).trimEnd()}\n`;
}

function tableLine(columns: readonly GridColumn[], cells: readonly Cell[], style: Style, measure: Measure): string {
  let line = "";
  for (const [place, { index, width, isSingle, right }] of columns.entries()) {
    const cell = cells[index] ?? NO_CELL;
    const space = width - (isSingle ? cell.text.length : widthUpTo(cell.text, width, measure));
    line += (place > 0 ? BETWEEN : "") + padded(style.cell(cell), space, right);
  }
  return line.trimEnd();
}

const NO_CELL: Cell = { text: "" };

function padded(text: string, space: number, right: boolean): string {
  return right ? spaces(space) + text : text + spaces(space);
}

/** Cached, since building them for each cell would take as long as everything else. */
const SPACES = Array.from({ length: 128 }, (_, count) => " ".repeat(count));

function spaces(count: number): string {
  return SPACES[count] ?? " ".repeat(Math.max(0, count));
}
