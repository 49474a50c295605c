import { gridOf } from "../../../src/terminal/table/grid-column.ts";
import { relayer, relayerView } from "../sample-relayers.ts";

function gridOfName(name: string) {
  const { columns, rows } = gridOf([relayer(JSON.stringify({ id: "r1", name }))], relayerView.table.slice(0, 2));
  return { width: columns[1]?.width, cell: rows.cellsOf(0)[1] };
}

test("a column is as wide as its widest cell or its header", () => {
  expect(gridOfName("漢字漢字").width).toBe(8);
  expect(gridOfName("a").width).toBe(4);
});

test("cuts free text in columns that allow it, but never an ID", () => {
  expect(gridOfName("a name that goes on and on").cell).toMatchObject({ text: "a name that goes on…" });
  const long = "r".repeat(300);
  const { rows } = gridOf([relayer(`{"id":"${long}"}`)], relayerView.table);
  expect(rows.cellsOf(0)[0]).toMatchObject({ text: long });
});

test("a name with a line break stays in one row", () =>
  expect(gridOfName("x\nr3 active").cell).toMatchObject({ text: "x\\u{a}r3 active" }));

test("shows an empty value as a dash", () => expect(gridOfName("").cell).toMatchObject({ text: "–", tone: "faint" }));

test("keeps rows of any length whole, and sorts them by ID", () => {
  const ids = [3, 300_000, 7, 262_144, 1, 100_000, 200_000].map((length, index) => `${9 - index}`.repeat(length));
  const { rows } = gridOf(
    ids.map((id) => ({ id, name: "漢" })),
    relayerView.table.slice(0, 2),
  );
  const shown = () => Array.from(ids, (_, index) => rows.cellsOf(index).map(({ text }) => text));
  expect(shown()).toEqual(ids.map((id) => [id, "漢"]));
  expect(rows.isOrdered).toBe(false);
  rows.sortById();
  expect(shown()).toEqual([...ids].sort().map((id) => [id, "漢"]));
});
