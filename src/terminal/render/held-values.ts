import { createScale, type JsonObject } from "../../contract/json.ts";
import { printDrawn, tableWidth } from "../printer.ts";
import { createStyle } from "../style.ts";
import { printedItems } from "./list-order.ts";
import { summaryNote } from "./notes.ts";
import type { Held, Listing } from "./reading.ts";
import { printValue } from "./value.ts";

/** Holds the values of a list for a query or a table, which need all of them at once. */
export function createHeldValues(listing: Listing): Held {
  const { view, selection, options, format, out } = listing;
  const { query } = selection;
  const held: JsonObject[] = [];
  const scale = createScale();
  return {
    add(items) {
      let bytes = 0;
      for (const item of items) {
        held.push(item);
        bytes += scale(item);
      }
      // The result of a query may be as large, and so may the cells of a table.
      return 2 * bytes;
    },
    async print() {
      const items = printedItems(held, view, selection);
      if (query) return printValue(query(items), { format, headers: options.headers }, out);
      await printListTable(items, listing);
    },
  };
}

async function printListTable(items: readonly JsonObject[], listing: Listing): Promise<void> {
  const { view, options, selection, tally, out } = listing;
  if (items.length === 0) return;
  const { resource, isMarked } = view;
  const { screen } = resource;
  const rows = view.rows?.(items) ?? items;
  if (screen && !selection.fields) {
    const { screenText } = await import("./screen.ts");
    const lines = screen(rows, view.flags ?? []);
    return printDrawn(screenText(lines, tableWidth(out), await createStyle(out.color)), out);
  }
  const { printFields, printItems } = await import("./table.ts");
  const { headers = true } = options;
  if (selection.fields) await printFields(rows, selection.fields, { resource, isMarked, headers }, out);
  else await printItems(rows, { ...resource, isMarked }, headers, out);
  if (out.stdout.isTerminal) await out.note(summaryNote(view, items, tally));
}
