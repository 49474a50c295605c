import type { JsonObject } from "../../contract/json.ts";
import { visible } from "../escape.ts";
import type { Cell, TableColumn } from "../view.ts";
import { shortened, textWidth } from "../width.ts";

/** What stands where there is nothing to show. */
const EMPTY: Cell = { text: "–", tone: "faint" };

/** One column of a table, escaped and measured. */
export interface GridColumn {
  header: string;
  cells: readonly Cell[];
  /** The widest of its cells and its header. */
  width: number;
  right: boolean;
}

/** Every cell as it will be printed, on one line whatever the service sent. */
export function gridOf<T extends JsonObject>(items: readonly T[], columns: readonly TableColumn<T>[]): GridColumn[] {
  return columns.map((column) => {
    const header = visible(column.header);
    const cells = items.map((item) => shownCell(column.cell(item), column.most));
    const width = cells.reduce((widest, { text }) => Math.max(widest, textWidth(text)), textWidth(header));
    return { header, cells, width, right: column.align === "right" };
  });
}

function shownCell(cell: Cell, most = Number.POSITIVE_INFINITY): Cell {
  if (cell.text === "") return EMPTY;
  return { ...cell, text: shortened(visible(cell.text), most) };
}
