import { createGrid } from "../table/grid.ts";
import { fieldsRead } from "./fields-read.ts";
import { type Listing, wantedItems } from "./reading.ts";

/** Bytes per row besides its content. */
const REFERENCE = 8;

/**
 * Prints a table without keeping items: its cells are built as each page arrives. It is written whole, sorted by ID.
 */
export async function printCellsTable(listing: Listing): Promise<undefined> {
  const { view, options, format, selection, tally, out } = listing;
  const grid = createGrid(view.resource.table);
  const { rows } = grid;
  const fields = fieldsRead(view.resource, format, selection, out);
  for await (const { items } of wantedItems(view.pages, selection, fields, tally)) {
    const before = rows.bytes;
    for (const item of items) grid.add(item);
    tally.keep(rows.bytes - before + REFERENCE * items.length);
  }
  grid.finish();
  if (!view.inOrder && !rows.isOrdered) rows.sortById();
  if (rows.count === 0) return undefined;
  await listing.beforeDrawing();
  const { printTable } = await import("./table.ts");
  await printTable(grid, options.headers ?? true, out);
  return undefined;
}
