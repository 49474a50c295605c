import { expect, test } from "vitest";
import { createStyle } from "../../../src/terminal/style.ts";
import { gridOf } from "../../../src/terminal/table/grid.ts";
import { longTable } from "../../../src/terminal/table/long.ts";
import { base, relayerView } from "../sample-relayers.ts";

test("comes in pieces of some hundred rows", async () => {
  const grid = gridOf(
    Array.from({ length: 1200 }, () => base),
    relayerView.table,
  );
  const pieces = [...longTable(grid, await createStyle(false), true)];
  expect(pieces.map((piece) => piece.split("\n").length - 1)).toEqual([1, 500, 500, 200]);
});
