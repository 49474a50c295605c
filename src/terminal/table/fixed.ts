import type { Style } from "../style.ts";
import type { Cell } from "../view.ts";
import { textWidth } from "../width.ts";
import { GAP } from "./fit.ts";
import type { GridColumn } from "./grid.ts";

const ROWS_AT_ONCE = 500;

/** A table at the widths that were measured, in pieces. */
export function* fixedTable(columns: readonly GridColumn[], style: Style, headers: boolean): Generator<string> {
  if (headers) yield tableLine(columns, (column) => ({ text: column.header.toUpperCase(), tone: "faint" }), style);
  const rows = columns[0]?.cells.length ?? 0;
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const lines = Array.from({ length: Math.min(ROWS_AT_ONCE, rows - from) }, (_, index) =>
      tableLine(columns, ({ cells }) => cells[from + index] ?? { text: "" }, style),
    );
    yield lines.join("");
  }
}

function tableLine(columns: readonly GridColumn[], cellOf: (column: GridColumn) => Cell, style: Style): string {
  const cells = columns.map((column) => {
    const cell = cellOf(column);
    const space = " ".repeat(Math.max(0, column.width - textWidth(cell.text)));
    return column.right ? space + style.cell(cell) : style.cell(cell) + space;
  });
  return `${cells.join(" ".repeat(GAP)).trimEnd()}\n`;
}
