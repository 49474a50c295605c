import type { JsonObject } from "../../contract/json.ts";
import { valueText } from "../select/path.ts";
import type { Cell, TableColumn } from "../view.ts";
import { createKnown, GridColumn } from "./grid-column.ts";
import { Rows } from "./rows.ts";

export interface Grid {
  columns: readonly GridColumn[];
  rows: Rows;
  signs?: readonly Cell[];
}

export interface GrowingGrid<T extends JsonObject> extends Grid {
  add(item: T): void;
  finish(): void;
}

export function createGrid<T extends JsonObject>(given: readonly TableColumn<T>[]): GrowingGrid<T> {
  const known = createKnown();
  const columns = given.map((column, index) => new GridColumn(column as TableColumn<JsonObject>, index, known));
  const rows = new Rows(columns.length);
  return {
    columns,
    rows,
    add(item) {
      rows.add(valueText(item.id), 0);
      for (const column of columns) column.addTo(rows, item);
      rows.endRow();
    },
    finish() {
      for (const column of columns) column.finish(rows);
    },
  };
}

export function gridOf<T extends JsonObject>(items: readonly T[], columns: readonly TableColumn<T>[]): Grid {
  const grid = createGrid(columns);
  for (const item of items) grid.add(item);
  grid.finish();
  return grid;
}
