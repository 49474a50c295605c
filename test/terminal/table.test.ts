import fc from "fast-check";
import type { JsonObject } from "../../src/contract/json.ts";
import { escapeText } from "../../src/terminal/escape.ts";
import { joinTablePieces, tablePieces } from "../../src/terminal/render/table.ts";
import { createStyle } from "../../src/terminal/style.ts";
import { fitTable, hiddenFitNote } from "../../src/terminal/table/fit.ts";
import { fixedTable } from "../../src/terminal/table/fixed.ts";
import { gridOf } from "../../src/terminal/table/grid-column.ts";
import { base, eth1, eth2, relayer, relayerView } from "./sample-relayers.ts";

describe("a table", () => {
  async function tableOf(items: readonly JsonObject[], { color = false, headers = true } = {}): Promise<string> {
    return joinTablePieces(await tablePieces(gridOf(items, relayerView.table), await createStyle(color), headers));
  }

  const rocket = relayer(
    '{"id":"r-🚀","name":"漢字 👩‍💻","paused":true,"policies":{"gas_price_cap":7},"address":"0xabc"}',
  );

  const wideName = { ...eth2, name: "漢字" };

  /** What is drawn by each of the two ways, and by both. */
  const CASES = [
    ["one row", [eth2]],
    ["wide text", [eth2, wideName]],
    ["201 rows", Array.from({ length: 201 }, () => eth2)],
  ] as const;

  const EXPECTED = `\
ID          NAME       STATE           CAP  ADDRESS
base-hot    Base hot   active            –  0x8ba1f109551bd432803012645ac136ddd64dba72
eth-main-2  Mainnet 2  paused  80000000000  0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc
r-🚀        漢字 👩‍💻    paused            7  0xabc
`;

  test("has no borders, two spaces between columns, right-aligned numbers, and aligned columns with emoji and CJK", async () =>
    expect(await tableOf([base, eth2, rocket])).toBe(EXPECTED));

  test("looks the same if it is long enough to be drawn at fixed widths", async () => {
    const many = Array.from({ length: 1001 }, () => [base, eth2, rocket]).flat();
    const lines = (await tableOf(many)).split("\n");
    expect(lines).toHaveLength(3005);
    expect(`${lines.slice(0, 4).join("\n")}\n`).toBe(EXPECTED);
    expect(lines.slice(3001)).toEqual([...EXPECTED.split("\n").slice(1)]);
  });

  test.each(CASES)("has no trailing spaces, and no color by default, with %s", async (_, items) => {
    const text = await tableOf(items);
    expect(text).not.toMatch(/ $/m);
    expect(text).not.toContain("\u001b");
  });

  test.each(CASES)("has colored words and dim headers with color, with %s", async (_, items) => {
    const text = await tableOf(items, { color: true });
    expect(text).toContain("\u001b[33mpaused\u001b[39m  ");
    expect(text.startsWith("\u001b[2mID\u001b[22m          \u001b[2mNAME\u001b[22m")).toBe(true);
    expect(text).not.toMatch(/ $/m);
  });

  test.each(CASES)("has no headers if they are disabled, with %s", async (_, items) => {
    const text = await tableOf(items, { headers: false });
    expect(text.split("\n")).toHaveLength(items.length + 1);
    expect(text).not.toContain("NAME");
  });

  test("looks the same in both ways of drawing, except for the row that selects the way", async () => {
    const lines = (await tableOf([eth2, wideName])).split("\n");
    expect(lines.slice(0, 2)).toEqual((await tableOf([eth2])).split("\n").slice(0, 2));
  });
});

describe("the fit of a table", () => {
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
        expect(cells.map(([id]) => id)).toEqual(rows.map(({ id }) => escapeText(id)));
        expect(cells.map((texts) => texts[4])).toEqual(rows.map(({ address }) => address));
      }),
    );
  });
});

describe("a table of fixed widths", () => {
  test("yields pieces of whole rows, of about 64 KiB", async () => {
    const grid = gridOf(
      Array.from({ length: 1200 }, () => base),
      relayerView.table,
    );
    const pieces = Array.from(fixedTable(grid, await createStyle(false), true), (piece) => joinTablePieces([piece]));
    expect(pieces.map((piece) => piece.length)).toEqual([41, 63_916, 27_284]);
    expect(pieces.every((piece) => piece.endsWith("\n"))).toBe(true);
  });
});

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
