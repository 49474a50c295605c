import { isNumber } from "../../contract/decimal.ts";
import { holdsIdentifier } from "../../contract/id.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Printer } from "../printer.ts";
import { tableWidth } from "../printer.ts";
import { flatValue, valueAt } from "../select/path.ts";
import { createStyle } from "../style.ts";
import { cutNote, fitted, hiddenNote } from "../table/fit.ts";
import type { Grid } from "../table/grid.ts";
import { tablePieces } from "../table.ts";
import type { TableColumn } from "../view.ts";

export { gridOf } from "../table/grid.ts";

/** Writes a table that fits, and notes which columns are hidden or cut. */
export async function printTable(grid: Grid, headers: boolean, out: Printer): Promise<void> {
  const fit = fitted(grid, tableWidth(out));
  const style = await createStyle(out.color);
  for (const piece of await tablePieces(fit.shown, style, headers)) await out.stdout.write(piece);
  for (const note of [hiddenNote(fit), cutNote(fit)]) if (note !== undefined) await out.note(note);
}

/** Returns the columns of a table with `--fields`: values as in flat formats, numbers right-aligned. */
export function columnsOfFields(paths: readonly string[], items: readonly JsonObject[]): TableColumn<JsonObject>[] {
  return paths.map((path) => ({
    header: path,
    cell: (item) => ({ text: flatValue(item, path) }),
    whole: holdsIdentifier(path),
    ...(items.some((item) => isNumber(valueAt(item, path) ?? null)) && { align: "right" as const }),
  }));
}
