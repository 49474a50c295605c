import { expect, test } from "vitest";
import { gridOf } from "../../../src/terminal/table/grid.ts";
import { relayer, relayerView } from "../sample-relayers.ts";

const gridOfName = (name: string) =>
  gridOf([relayer(JSON.stringify({ id: "r1", name }))], relayerView.table.slice(0, 2))[1];

test("a column is as wide as its widest cell or its header", () => {
  expect(gridOfName("漢字漢字")?.width).toBe(8);
  expect(gridOfName("a")?.width).toBe(4);
});

test("free text is cut where the column says so, an id never", () => {
  expect(gridOfName("a name that goes on and on")?.cells).toMatchObject([{ text: "a name that goes on…" }]);
  const long = "r".repeat(300);
  const [id] = gridOf([relayer(`{"id":"${long}"}`)], relayerView.table);
  expect(id?.cells).toMatchObject([{ text: long }]);
});

test("a name with a line end cannot make a row of its own", () => {
  expect(gridOfName("x\nr3 active")?.cells).toMatchObject([{ text: "x\\u{a}r3 active" }]);
});

test("nothing is shown as a dash", () => {
  expect(gridOfName("")?.cells).toMatchObject([{ text: "–", tone: "faint" }]);
});
