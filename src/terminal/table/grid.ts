import type { JsonObject } from "../../contract/json.ts";
import { visible, visibleCell } from "../escape.ts";
import { valueText } from "../select/path.ts";
import { cut, isCut } from "../text/cut.ts";
import { createMeasure, type Measure } from "../text/grapheme-width.ts";
import { createEscaping, type Escaping } from "../text/replace-unsafe.ts";
import type { Cell, TableColumn, Tone } from "../view.ts";
import { isSingleWidth, textWidth, WIDEST, widthUpTo } from "../width.ts";
import { distinguishingColumns } from "./distinguish.ts";
import { type PackedRow, packRow, withCell } from "./packed-row.ts";

/** A measured column of a table. */
export interface GridColumn {
  header: string;
  /** The position of its cells in a row. */
  index: number;
  /** As in `TableColumn`; the first column is always worth it. */
  worth: number | "always";
  /** Whether its cells may be cut. */
  canBeCut: boolean;
  /** The width of its widest cell or its header; at most `WIDEST`. */
  width: number;
  /** The number of UTF-16 units in its longest cell. */
  longest: number;
  /** Whether one of its cells is cut. */
  isCut: boolean;
  /** Whether each character of each cell takes one column of a terminal. */
  isSingle: boolean;
  right: boolean;
}

/** A table with escaped cells, each on one line regardless of its text. */
export interface Grid {
  columns: readonly GridColumn[];
  /** There may be millions of rows: each is stored as one text. */
  rows: PackedRow[];
  /** A sign of one column before each row. */
  signs?: readonly Cell[];
}

/** A grid to which items are added as they arrive. */
export interface GrowingGrid<T extends JsonObject> extends Grid {
  add(items: readonly T[]): void;
  /** Must be called after the last item. */
  finish(): void;
}

export function createGrid<T extends JsonObject>(given: readonly TableColumn<T>[]): GrowingGrid<T> {
  const { columns, lateColumns: late } = distinguishingColumns(given);
  const measured = columns.map(headOf);
  const known = { escaping: createEscaping(), measure: createMeasure() };
  const rows: PackedRow[] = [];
  const texts: string[] = [];
  const tones: (Tone | undefined)[] = [];
  return {
    columns: measured,
    rows,
    add(items) {
      for (const item of items) {
        for (const [index, { cell }] of columns.entries()) {
          const { text, tone } = cell(item);
          texts[index] = shownIn(measured[index] as Measured, text, known);
          tones[index] = text === "" ? "faint" : tone;
        }
        rows.push(packRow(texts, tones, valueText(item.id)));
      }
    },
    finish() {
      for (const [column, texts] of late()) {
        const shown = (text: string) => shownIn(measured[column] as Measured, text, known);
        const distinguished = new Map([...texts].map(([text, word]) => [shown(text), shown(word)]));
        for (const [index, row] of rows.entries()) rows[index] = withCell(row, column, distinguished);
      }
    },
  };
}

export function gridOf<T extends JsonObject>(items: readonly T[], columns: readonly TableColumn<T>[]): Grid {
  const grid = createGrid(columns);
  grid.add(items);
  grid.finish();
  return grid;
}

interface Measured extends GridColumn {
  /** The width at which its cells are cut; absent if they are not. */
  most: number | undefined;
  /** The previous cell as given and as shown: most columns repeat the same text many times. */
  given?: string;
  shown?: string;
}

function headOf<T extends JsonObject>(
  { header, align, whole = false, most = WIDEST, worth = 0 }: TableColumn<T>,
  index: number,
): Measured {
  const text = visible(header);
  return {
    header: text,
    index,
    worth: index === 0 ? "always" : worth,
    canBeCut: !whole && align !== "right",
    width: textWidth(text),
    longest: 0,
    isCut: false,
    isSingle: true,
    right: align === "right",
    most: whole ? undefined : most,
  };
}

/** Stands for an empty value. */
const NOTHING = "–";

function shownIn(column: Measured, text: string, known: { escaping: Escaping; measure: Measure }): string {
  if (text === column.given && column.shown !== undefined) return column.shown;
  const { most } = column;
  const isSingle = isSingleWidth(text) && (most === undefined || text.length <= most);
  const shown = isSingle
    ? text || NOTHING
    : most === undefined
      ? visibleCell(text, known.escaping)
      : cut(text, most, known);
  const width = isSingle ? Math.min(shown.length, WIDEST) : widthUpTo(shown, WIDEST, known.measure);
  column.given = text;
  column.shown = shown;
  column.isSingle &&= isSingle || isSingleWidth(shown);
  column.isCut ||= !isSingle && most !== undefined && isCut(text, shown);
  column.longest = Math.max(column.longest, shown.length);
  column.width = Math.max(column.width, width);
  return shown;
}
