import type { JsonObject } from "../../src/contract/json.ts";
import { joinTablePieces, tablePieces } from "../../src/terminal/render/table.ts";
import { createStyle } from "../../src/terminal/style.ts";
import { gridOf } from "../../src/terminal/table/grid-column.ts";
import { base, eth2, relayer, relayerView } from "./sample-relayers.ts";

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
