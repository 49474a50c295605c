import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitted, hiddenNote } from "../../../src/terminal/table/fit.ts";
import { gridOf } from "../../../src/terminal/table/grid.ts";
import { base, eth1, eth2, relayerView } from "../sample-relayers.ts";

const grid = gridOf([eth1, eth2, base], relayerView.table);
const headersAt = (width: number) => fitted(grid, width).shown.map(({ header }) => header);

describe("a table in a narrow terminal", () => {
  test.each([
    [200, ["id", "name", "state", "cap", "address"]],
    [112, ["id", "name", "state", "cap", "address"]],
    [111, ["id", "name", "state", "cap"]],
    [80, ["id", "name", "state", "cap"]],
    [40, ["id", "name", "state"]],
    [20, ["id"]],
    [1, ["id"]],
    [0, ["id"]],
  ])("of %d columns has whole columns only: %j", (width, headers) => {
    expect(headersAt(width)).toEqual(headers);
  });

  test("says which columns had to go", () => {
    expect(hiddenNote(fitted(grid, 40))).toBe("2 columns hidden for width: cap, address (-o tsv has all)");
    expect(hiddenNote(fitted(grid, 111))).toBe("1 column hidden for width: address (-o tsv has all)");
    expect(hiddenNote(fitted(grid, 200))).toBeUndefined();
  });

  test("never cuts an id, an address or a hash, and fits whenever the id does", () => {
    const cells = fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.hexaString({ minLength: 40, maxLength: 66 })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(cells, fc.integer({ min: 0, max: 120 }), (rows, width) => {
        const items = rows.map(([id, address]) => ({ id, address }));
        const columns = ["id", "address"].map((key) => ({
          header: key,
          cell: (item: (typeof items)[number]) => ({ text: key === "id" ? item.id : item.address }),
        }));
        const { shown } = fitted(gridOf(items, columns), width);
        const total = shown.reduce((sum, column) => sum + column.width, 2 * (shown.length - 1));
        expect(shown.length === 1 || total <= width).toBe(true);
        expect(shown[1]?.cells.map(({ text }) => text) ?? rows.map(([, address]) => address)).toEqual(
          rows.map(([, address]) => address),
        );
      }),
    );
  });
});
