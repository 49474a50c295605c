import { expect, test } from "vitest";
import { createStyle } from "../../../src/terminal/style.ts";
import { fixedTable } from "../../../src/terminal/table/fixed.ts";
import { gridOf } from "../../../src/terminal/table/grid.ts";
import { base, relayerView } from "../sample-relayers.ts";

test("yields pieces of 500 rows", async () => {
  const grid = gridOf(
    Array.from({ length: 1200 }, () => base),
    relayerView.table,
  );
  const pieces = [...fixedTable(grid, await createStyle(false), true)];
  expect(pieces.map((piece) => piece.split("\n").length - 1)).toEqual([1, 500, 500, 200]);
});
