import type { JsonObject } from "../../contract/json.ts";
import { visible } from "../escape.ts";
import { valueText } from "../select/path.ts";
import type { TableColumn, Tone } from "../view.ts";
import { isSingleWidth, shortened, textWidth } from "../width.ts";
import { type PackedRow, packRow } from "./packed-row.ts";

/** One column of a table, measured. */
export interface GridColumn {
  header: string;
  /** The widest of its cells and its header. */
  width: number;
  /** Whether each character of each cell takes one column of a terminal. */
  isSingle: boolean;
  right: boolean;
}

/** A table whose cells are escaped, each on one line whatever the service sent. */
export interface Grid {
  columns: readonly GridColumn[];
  /** There may be millions of them: what is held of each is one text. */
  rows: PackedRow[];
}

/** A grid to which items are added as they arrive. */
export interface GrowingGrid<T extends JsonObject> extends Grid {
  add(items: readonly T[]): void;
}

export function createGrid<T extends JsonObject>(columns: readonly TableColumn<T>[]): GrowingGrid<T> {
  const measured = columns.map(headOf);
  const rows: PackedRow[] = [];
  const texts: string[] = [];
  const tones: (Tone | undefined)[] = [];
  return {
    columns: measured,
    rows,
    add(items) {
      for (const item of items) {
        for (const [index, { cell, most }] of columns.entries()) {
          const { text, tone } = cell(item);
          texts[index] = shownIn(measured[index] as Measured, text, most);
          tones[index] = text === "" ? "faint" : tone;
        }
        rows.push(packRow(texts, tones, valueText(item.id)));
      }
    },
  };
}

export function gridOf<T extends JsonObject>(items: readonly T[], columns: readonly TableColumn<T>[]): Grid {
  const grid = createGrid(columns);
  grid.add(items);
  return grid;
}

interface Measured extends GridColumn {
  /** The cell before, as it was given and as it is shown: most columns hold the same text many times over. */
  given?: string;
  shown?: string;
}

function headOf<T extends JsonObject>({ header, align }: TableColumn<T>): Measured {
  const text = visible(header);
  return { header: text, width: textWidth(text), isSingle: true, right: align === "right" };
}

/** What stands where there is nothing to show. */
const NOTHING = "–";

function shownIn(column: Measured, text: string, most = Number.POSITIVE_INFINITY): string {
  if (text === column.given && column.shown !== undefined) return column.shown;
  const isSingle = isSingleWidth(text);
  const shown = isSingle && text.length <= most ? text || NOTHING : shortened(visible(text), most);
  column.given = text;
  column.shown = shown;
  column.isSingle &&= isSingle || isSingleWidth(shown);
  column.width = Math.max(column.width, isSingle ? shown.length : textWidth(shown));
  return shown;
}
