import fc from "fast-check";
import { expect, test } from "vitest";
import { visible } from "../../../src/terminal/escape.ts";
import { cut, isCut, shortened } from "../../../src/terminal/text/cut.ts";
import { textWidth } from "../../../src/terminal/width.ts";
import { countedSteps } from "../../helpers/counted-steps.ts";
import { runs } from "../../helpers/deep.ts";

test.each([
  ["Mainnet 1", 9, "Mainnet 1"],
  ["Mainnet 1", 5, "Main…"],
  ["漢字漢字", 5, "漢字…"],
  ["漢字漢字", 4, "漢…"],
  ["👩‍💻👩‍💻", 3, "👩‍💻…"],
  ["ab", 1, "…"],
  ["🚀".repeat(9), 2, "…"],
])("cuts %s to %d columns: %s", (text, most, expected) => {
  expect(shortened(text, most)).toBe(expected);
  expect(textWidth(expected)).toBeLessThanOrEqual(most);
});

test("cuts a stack of marks although it takes one column, and splits no character", () => {
  expect(cut(`e${"\u0301".repeat(1000)}`, 10)).toBe(`e${"\u0301".repeat(79)}…`);
  expect(cut(`ab${"🚀".repeat(1000)}`, 2)).toBe("a…");
  expect(cut("👨‍👩‍👧‍👦".repeat(1000), 20)).toBe(`${"👨‍👩‍👧‍👦".repeat(9)}…`);
});

test("cuts any text to its width, escaped, with a mark if it is cut, and whole if it fits", () => {
  const parts = fc.constantFrom(..."aé漢🚀\u0301\u200b\u202e\n…", "👨‍👩‍👧‍👦", "👨\u200d", "\ud83d", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿");
  const texts = fc.array(parts, { maxLength: 60 }).map((some) => some.join(""));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, most) => {
      const shown = cut(text, most);
      expect(textWidth(shown)).toBeLessThanOrEqual(most);
      expect(visible(shown)).toBe(shown);
      if (shown !== visible(text)) expect(isCut(text, shown) || text.endsWith("…")).toBe(true);
    }),
    runs(100, 6_000),
  );
});

test.each(["漢", "\u200b", "👨‍👩‍👧‍👦", "e\u0301"])(
  "does not escape or measure the part of %j that is cut off",
  async (text) => {
    const [some, more] = [text.repeat(10_000), text.repeat(100_000)];
    cut(some, 100);
    expect(await countedSteps(() => cut(more, 100))).toBe(await countedSteps(() => cut(some, 100)));
  },
);
