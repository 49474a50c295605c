import type { JsonObject } from "../../contract/json.ts";
import { visible } from "../escape.ts";
import type { Cell, TableColumn, Tone } from "../view.ts";
import { isSingleWidth, shortened, textWidth } from "../width.ts";

/** A cell as it will be printed, and the columns of a terminal that it takes. */
export interface SizedCell {
  text: string;
  tone: Tone | undefined;
  width: number;
}

/** What stands where there is nothing to show. */
const EMPTY: SizedCell = { text: "–", tone: "faint", width: 1 };

/** One column of a table, escaped and measured. */
export interface GridColumn {
  header: string;
  cells: readonly SizedCell[];
  /** The widest of its cells and its header. */
  width: number;
  right: boolean;
}

/** Every cell as it will be printed, on one line whatever the service sent. */
export function gridOf<T extends JsonObject>(items: readonly T[], columns: readonly TableColumn<T>[]): GridColumn[] {
  return columns.map((column) => {
    const header = visible(column.header);
    const cells = items.map((item) => shownCell(column.cell(item), column.most));
    const width = cells.reduce((widest, cell) => Math.max(widest, cell.width), textWidth(header));
    return { header, cells, width, right: column.align === "right" };
  });
}

/** All cells have the same members: there may be millions of them. */
function shownCell({ text, tone }: Cell, most = Number.POSITIVE_INFINITY): SizedCell {
  if (text === "") return EMPTY;
  if (isSingleWidth(text) && text.length <= most) return { text, tone, width: text.length };
  const shown = shortened(visible(text), most);
  return { text: shown, tone, width: textWidth(shown) };
}
