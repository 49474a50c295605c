import { joinTablePieces } from "../../../src/terminal/render/table.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { fixedTable } from "../../../src/terminal/table/fixed.ts";
import { gridOf } from "../../../src/terminal/table/grid-column.ts";
import { base, relayerView } from "../sample-relayers.ts";

test("yields pieces of whole rows, of about 64 KiB", async () => {
  const grid = gridOf(
    Array.from({ length: 1200 }, () => base),
    relayerView.table,
  );
  const pieces = Array.from(fixedTable(grid, await createStyle(false), true), (piece) => joinTablePieces([piece]));
  expect(pieces.map((piece) => piece.length)).toEqual([41, 63_916, 27_284]);
  expect(pieces.every((piece) => piece.endsWith("\n"))).toBe(true);
});
