import type { JsonObject } from "../../contract/json.ts";
import { visible } from "../../terminal/escape.ts";
import { SIGNS } from "../../terminal/signs.ts";
import type { Style } from "../../terminal/style.ts";
import { fitted, GAP } from "../../terminal/table/fit.ts";
import { type Grid, gridOf } from "../../terminal/table/grid.ts";
import type { Cell, RowSign, TableColumn } from "../../terminal/view.ts";
import { spacesAfter } from "../../terminal/width.ts";

interface Table {
  items: readonly JsonObject[];
  columns: readonly TableColumn<JsonObject>[];
  signs: readonly RowSign[];
  /** A last column of free text, which takes the rest of the line. */
  more?: { header: string; texts: readonly string[] };
}

export interface DrawnRow {
  text: string;
  /** The same without colors. */
  plain: string;
}

/** Returns a table that fits: its header, then a line for each item. */
export function tableLines({ items, columns, signs, more }: Table, width: number, style: Style): DrawnRow[] {
  const cells = signs.map(({ sign, tone }) => ({ text: SIGNS[sign], tone }));
  const { shown } = fitted({ ...gridOf(items, columns), signs: cells }, width);
  const hasMore = more?.texts.some((text) => text !== "") ?? false;
  const header = gridRow(
    shown,
    shown.columns.map(({ header }) => ({ text: header.toUpperCase(), tone: "faint" })),
    { text: " " },
    style,
  );
  const rows = items.map((_, index) => {
    const all = shown.rows.cellsOf(index);
    const own = shown.columns.map((column) => all[column.index] ?? { text: "" });
    return withText(
      gridRow(shown, own, cells[index] ?? { text: " " }, style),
      visible(more?.texts[index] ?? ""),
      style,
    );
  });
  return [hasMore ? withText(header, more?.header.toUpperCase() ?? "", style) : header, ...rows];
}

function withText({ text, plain }: DrawnRow, more: string, style: Style): DrawnRow {
  if (more === "") return { text: text.trimEnd(), plain: plain.trimEnd() };
  return { text: `${text}  ${style.faint(more)}`, plain: `${plain}  ${more}` };
}

function gridRow({ columns }: Grid, cells: readonly Cell[], sign: Cell, style: Style): DrawnRow {
  const drawn = (draw: (cell: Cell) => string) =>
    columns
      .map(({ width, right }, index) => {
        const cell = cells[index] ?? { text: "" };
        const space = spacesAfter(cell.text, width);
        return right ? space + draw(cell) : draw(cell) + space;
      })
      .join(" ".repeat(GAP));
  const plain = `${sign.text} ${drawn(({ text }) => text)}`;
  return { text: `${style.cell(sign)} ${drawn(style.cell)}`, plain };
}
