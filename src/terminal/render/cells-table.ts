import { textBytes } from "../../contract/json.ts";
import { compareTexts } from "../select/compare.ts";
import { valueText } from "../select/path.ts";
import { createGrid, type Grid } from "../table/grid.ts";
import { idOf } from "../table/packed-row.ts";
import { fieldsRead } from "./fields-read.ts";
import { type Listing, wantedItems } from "./reading.ts";

/** Estimated bytes per row in the grid, up to twice the size of its content. */
const REFERENCE = 16;

/**
 * Prints a table without keeping items: its cells are built as each page arrives. It is written whole, sorted by ID.
 */
export async function printCellsTable(listing: Listing): Promise<undefined> {
  const { view, options, format, selection, tally, out } = listing;
  const grid = createGrid(view.resource.table);
  const fields = fieldsRead(view.resource, format, selection, out);
  let last = "";
  let isOrdered = true;
  for await (const items of wantedItems(view.pages, selection, fields, tally)) {
    const before = grid.rows.length;
    grid.add(items);
    tally.keep(grid.rows.slice(before).reduce((bytes, row) => bytes + REFERENCE + textBytes(row), 0));
    for (const { id } of items) {
      const next = valueText(id);
      isOrdered &&= last <= next;
      last = next;
    }
  }
  grid.finish();
  if (!view.inOrder && !isOrdered) orderById(grid);
  if (grid.rows.length === 0) return undefined;
  await listing.beforeDrawing();
  const { printTable } = await import("./table.ts");
  await printTable(grid, options.headers ?? true, out);
  return undefined;
}

function orderById({ columns, rows }: Grid): void {
  const keyed = rows.map((row) => ({ row, id: idOf(row, columns.length) }));
  keyed.sort((left, right) => compareTexts(left.id, right.id));
  for (const [index, { row }] of keyed.entries()) rows[index] = row;
}
