import { expect, test } from "vitest";
import { gridOf } from "../../../src/terminal/table/grid.ts";
import { cellsOf } from "../../../src/terminal/table/packed-row.ts";
import { relayer, relayerView } from "../sample-relayers.ts";

function gridOfName(name: string) {
  const { columns, rows } = gridOf([relayer(JSON.stringify({ id: "r1", name }))], relayerView.table.slice(0, 2));
  return { width: columns[1]?.width, cell: cellsOf(rows[0] ?? "")[1] };
}

test("a column is as wide as its widest cell or its header", () => {
  expect(gridOfName("漢字漢字").width).toBe(8);
  expect(gridOfName("a").width).toBe(4);
});

test("free text is cut where the column says so, an id never", () => {
  expect(gridOfName("a name that goes on and on").cell).toEqual({ text: "a name that goes on…" });
  const long = "r".repeat(300);
  const { rows } = gridOf([relayer(`{"id":"${long}"}`)], relayerView.table);
  expect(cellsOf(rows[0] ?? "")[0]).toEqual({ text: long });
});

test("a name with a line end cannot make a row of its own", () => {
  expect(gridOfName("x\nr3 active").cell).toEqual({ text: "x\\u{a}r3 active" });
});

test("nothing is shown as a dash", () => {
  expect(gridOfName("").cell).toEqual({ text: "–", tone: "faint" });
});
