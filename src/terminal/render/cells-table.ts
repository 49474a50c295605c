import { type ListItem, listItemsOf } from "../../contract/reply/list-reply.ts";
import { RPC_URL_FIELDS } from "../../contract/rpc-url.ts";
import { foundRowAdder } from "../table/found-rows.ts";
import { createGrid } from "../table/grid-column.ts";
import type { Page } from "../view.ts";
import { fieldsRead, type Listing, readChosenUpTo, readWantedItems } from "./reading.ts";

const REFERENCE = 8;

/** Prints a table without keeping items: cells are built as pages arrive. It is written whole, sorted by ID. */
export async function printCellsTable(listing: Listing): Promise<undefined> {
  const { view, options, tally, out } = listing;
  const grid = createGrid(view.resource.table);
  const { rows } = grid;
  const addFound = foundRowAdder(grid.columns, rows);
  // Separate, since V8 compiles a long loop with its surroundings, and again at their next run.
  const addAll = (items: readonly ListItem[]) => {
    for (const item of items)
      if ("value" in item) grid.add(item.value);
      else addFound(item);
  };
  for await (const items of buildItems(listing)) {
    const before = rows.bytes;
    addAll(items);
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

async function* buildItems({ view, format, selection, tally, out }: Listing): AsyncGenerator<readonly ListItem[]> {
  const { where, limit } = selection;
  const fields = fieldsRead(view.resource, format, selection, out);
  if (fields && where.length === 0 && !RPC_URL_FIELDS.some((field) => fields.includes(field))) {
    const found = (page: Page) => [page.found ?? listItemsOf(page.items)];
    for await (const { items } of readChosenUpTo(limit, view.pages, tally, found)) yield items;
  } else {
    for await (const { items } of readWantedItems(view.pages, selection, fields, tally)) yield listItemsOf(items);
  }
}
