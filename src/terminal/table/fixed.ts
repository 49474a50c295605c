import type { Style } from "../style.ts";
import { textWidth } from "../width.ts";
import { GAP } from "./fit.ts";
import type { GridColumn, SizedCell } from "./grid.ts";

const ROWS_AT_ONCE = 500;
const BETWEEN = " ".repeat(GAP);

/** A table at the widths that were measured, in pieces. */
export function* fixedTable(columns: readonly GridColumn[], style: Style, headers: boolean): Generator<string> {
  if (headers) yield tableLine(columns, headerCell, style);
  const rows = columns[0]?.cells.length ?? 0;
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    let lines = "";
    for (let row = from; row < Math.min(from + ROWS_AT_ONCE, rows); row++) {
      lines += tableLine(columns, ({ cells }) => cells[row] ?? NO_CELL, style);
    }
    yield lines;
  }
}

const NO_CELL: SizedCell = { text: "", tone: undefined, width: 0 };

function headerCell({ header }: GridColumn): SizedCell {
  const text = header.toUpperCase();
  return { text, tone: "faint", width: textWidth(text) };
}

function tableLine(columns: readonly GridColumn[], cellOf: (column: GridColumn) => SizedCell, style: Style): string {
  const cells = columns.map((column) => {
    const cell = cellOf(column);
    const space = " ".repeat(Math.max(0, column.width - cell.width));
    return column.right ? space + style.cell(cell) : style.cell(cell) + space;
  });
  return `${cells.join(BETWEEN).trimEnd()}\n`;
}
