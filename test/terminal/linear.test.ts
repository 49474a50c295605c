import fc from "fast-check";
import { resourceChoices } from "../../src/commands/resource-arguments.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import { messageText } from "../../src/message.ts";
import { blockText } from "../../src/terminal/block.ts";
import { createPainter } from "../../src/terminal/painter.ts";
import { shownChoice } from "../../src/terminal/prompts/run-prompt.ts";
import { screenText } from "../../src/terminal/render/screen.ts";
import { joinTablePieces, tablePieces } from "../../src/terminal/render/table.ts";
import { createStyle } from "../../src/terminal/style.ts";
import { fitTable } from "../../src/terminal/table/fit.ts";
import { gridOf } from "../../src/terminal/table/grid-column.ts";
import type { TableColumn } from "../../src/terminal/view.ts";
import { alignWidths } from "../../src/terminal/width.ts";
import { countedSteps } from "../helpers/counted-steps.ts";
import { runs } from "../helpers/deep.ts";
import { recordingPrinter } from "./recording-printer.ts";

/** Characters of every kind that is drawn in its own way: scripts, marks, wide ones, emoji, bidi, controls, halves. */
const PARTS = [
  ..."aZ -~\\…éßאبहกქ漢か한ｱ＝😀🚀❤",
  ...["e\u0301", "\u0301", "का", "ก็", "\u1100\u1161", "👨‍👩‍👧‍👦", "👨\u200d", "👍🏻", "🇩🇪", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
  ...[
    "\u0000",
    "\u001b[31m",
    "\n",
    "\t",
    "\u007f",
    "\u009b",
    "\u200b",
    "\u200d",
    "\u202e",
    "\u2066",
    "\ufe0f",
    "\ud83d",
  ],
];
const short = fc.oneof(fc.constant(""), fc.string({ unit: "grapheme", maxLength: 20 }), fc.constantFrom(...PARTS));
const long = fc
  .tuple(fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 3 }), fc.integer({ min: 100, max: 3000 }))
  .map(([parts, count]) => parts.join("").repeat(count));
const anyText = fc.oneof({ weight: 8, arbitrary: short }, { weight: 1, arbitrary: long });
/** Up to some hundred rows, of which a few hold texts that are much longer than the others. */
const rows = fc
  .tuple(
    fc.array(fc.array(anyText, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
    fc.integer({ min: 1, max: 40 }),
  )
  .map(([some, times]) => some.concat(...Array.from({ length: times }, () => [["r1", "漢", "x"]])));
const width = fc.constantFrom(1, 20, 80, 200, Number.POSITIVE_INFINITY);
const plain = await createStyle(false);

/** What each cell may cost on top of its characters: it is padded to a bounded width. */
const PER_CELL = 12_000;
/** What each character may cost; in a table more, since cli-table3 draws short ones, whose cells have a bounded length. */
const [PER_CHARACTER, PER_CHARACTER_OF_TABLE] = [120, 6000];
/** In how many places of a screen each text stands here. */
const PLACES = 4;

function charactersOf(texts: Rows): number {
  return texts.flat().reduce((sum, text) => sum + text.length, 0);
}

type Rows = readonly (readonly string[])[];

async function holds(draw: (texts: Rows, width: number) => unknown, perCharacter = PER_CHARACTER): Promise<void> {
  await draw([["漢"]], 80);
  await fc.assert(
    fc.asyncProperty(rows, width, async (texts, columns) => {
      const most = perCharacter * charactersOf(texts) + PER_CELL * texts.flat().length;
      expect(await countedSteps(() => draw(texts, columns))).toBeLessThan(most);
    }),
    runs(15, 1000),
  );
}

const COLUMNS: readonly TableColumn<JsonObject>[] = ["id", "name", "state"].map((header, index) => ({
  header,
  cell: (item) => ({ text: String(item[header]) }),
  whole: index === 0,
}));

function itemsOf(texts: Rows): JsonObject[] {
  return texts.map(([id = "", name = "", state = ""]) => ({ id, name, state }));
}

async function drawTable(texts: Rows, columns: number): Promise<string> {
  const { shown } = fitTable(gridOf(itemsOf(texts), COLUMNS), columns);
  return joinTablePieces(await tablePieces(shown, plain, true));
}

describe("limits the steps per character and cell when drawing", () => {
  test("a table", () => holds(drawTable, PER_CHARACTER_OF_TABLE));

  test("the block of one resource", () =>
    holds((texts) => {
      const lines = texts.map(([label = "", text = ""], index) => ({
        label,
        value: { text },
        ...(index % 2 === 1 && { indent: true as const }),
      }));
      return blockText(lines, plain);
    }));

  test("a screen, including painting it", () =>
    holds(async (texts, columns) => {
      const lines = texts.map(([name = "", word = "", fact = ""]) => ({
        label: { text: "active" },
        name,
        words: [word],
        facts: [fact, fact],
      }));
      const names = { label: { text: "more" }, names: texts.flat() };
      const text = screenText([...lines, names], columns, plain);
      await createPainter(recordingPrinter(80).out.stdout).paint(text, texts[0]?.[1] ?? "");
    }, PLACES * PER_CHARACTER));

  test("aligned rows", () => holds((texts) => alignWidths(texts).map(messageText)));

  test("choices", () =>
    holds((texts) =>
      resourceChoices(texts.map(([value = "", ...about]) => ({ value, about }))).map((choice) => shownChoice(choice)),
    ));
});

test("the output grows with the content, not with the longest name, label, or ID", async () => {
  for (const long of ["x".repeat(100_000), "漢".repeat(50_000), "\u200b".repeat(10_000)]) {
    const texts = (text: string): Rows =>
      Array.from({ length: 500 }, (_, index) => ["r1", "b", index === 9 ? text : "c"]);
    for (const place of [0, 1, 2]) {
      const moved = (row: readonly string[]) => [...row.slice(3 - place), ...row.slice(0, 3 - place)];
      const written = await drawTable(texts(long).map(moved), Number.POSITIVE_INFINITY);
      expect(written.length).toBeLessThan(8 * long.length + 500 * 3 * 130);
    }
  }
});
