import fc from "fast-check";
import { visible } from "../../../src/terminal/escape.ts";
import { fitTable, hiddenFitNote } from "../../../src/terminal/table/fit.ts";
import { gridOf } from "../../../src/terminal/table/grid-column.ts";
import { base, eth1, eth2, relayerView } from "../sample-relayers.ts";

const grid = gridOf([eth1, eth2, base], relayerView.table);
const ALWAYS = { worth: "always" as const };
const headersAt = (width: number) => fitTable(grid, width).shown.columns.map(({ header }) => header);

test.each([
  [200, ["id", "name", "state", "cap", "address"]],
  [114, ["id", "name", "state", "cap", "address"]],
  [113, ["id", "name", "state", "cap"]],
  [80, ["id", "name", "state", "cap"]],
  [40, ["id", "name", "state"]],
  [20, ["id"]],
  [12, ["id"]],
  [1, ["id"]],
  [0, ["id"]],
])("of %d columns shows whole columns only: %j", (width, headers) => expect(headersAt(width)).toEqual(headers));

test("hides the columns of the least worth first, and shows no narrow one in place of one that is worth more", () => {
  const view = (worth: readonly (number | "always")[]) =>
    relayerView.table.map((column, index) => ({ ...column, worth: worth[index] ?? 0 }));
  const at = (width: number, ...worth: (number | "always")[]) =>
    fitTable(gridOf([eth1, eth2, base], view(worth)), width).shown.columns.map(({ header }) => header);
  expect(at(80, 0, 2, 0, 1, 3)).toEqual(["id", "name", "address"]);
  expect(at(60, 0, 2, 0, 1, 3)).toEqual(["id", "address"]);
  expect(at(30, 0, 2, "always", 1, 3)).toEqual(["id", "state"]);
  expect(at(19, 0, 2, "always", 1, 3)).toEqual(["id", "state"]);
});

test("keeps a column that is always worth it, however narrow the terminal is", () => {
  const table = relayerView.table.map((column) => ({ ...column, ...(column.header === "state" && ALWAYS) }));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 160 }), (width) => {
      const { columns } = fitTable(gridOf([eth1, eth2, base], table), width).shown;
      expect(columns.map(({ header }) => header)).toEqual(expect.arrayContaining(["id", "state"]));
    }),
  );
});

test("shows whatever a narrower one shows", () => {
  const worth = fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant("always" as const)), {
    minLength: 5,
    maxLength: 5,
  });
  fc.assert(
    fc.property(worth, fc.integer({ min: 0, max: 160 }), fc.integer({ min: 0, max: 40 }), (each, width, more) => {
      const table = relayerView.table.map((column, index) => ({ ...column, worth: each[index] ?? 0 }));
      const at = (columns: number) =>
        fitTable(gridOf([eth1, eth2, base], table), columns).shown.columns.map(({ header }) => header);
      expect(at(width + more)).toEqual(expect.arrayContaining(at(width)));
    }),
  );
});

test("lists the hidden columns", () => {
  expect(hiddenFitNote(fitTable(grid, 40))).toBe("2 columns hidden for width: cap, address (-o tsv has all)");
  expect(hiddenFitNote(fitTable(grid, 113))).toBe("1 column hidden for width: address (-o tsv has all)");
  expect(hiddenFitNote(fitTable(grid, 200))).toBeUndefined();
});

test("never cuts an ID or an address, hides whole columns, and fits unless only the ID is left", () => {
  const address = fc.stringMatching(/^0x[0-9a-f]{40,64}$/);
  const items = fc.array(fc.record({ id: fc.string({ minLength: 1 }), name: fc.string(), address }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(items, fc.integer({ min: 0, max: 160 }), (rows, width) => {
      const { columns, rows: shown } = fitTable(gridOf(rows, relayerView.table), width).shown;
      const total = columns.reduce((sum, column) => sum + column.width, 2 * (columns.length - 1));
      expect(columns.length === 1 || total <= width).toBe(true);
      const cells = rows.map((_, index) => shown.cellsOf(index).map(({ text }) => text));
      expect(cells.map(([id]) => id)).toEqual(rows.map(({ id }) => visible(id)));
      expect(cells.map((texts) => texts[4])).toEqual(rows.map(({ address }) => address));
    }),
  );
});
