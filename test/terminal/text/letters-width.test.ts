import fc from "fast-check";
import { visible } from "../../../src/terminal/escape.ts";
import { createGraphemeMeasure } from "../../../src/terminal/text/grapheme-width.ts";
import { createLettersWidth } from "../../../src/terminal/text/letters-width.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { runs } from "../../helpers/deep.ts";

const widthOf = createLettersWidth();
const measure = createGraphemeMeasure();

test("a text that is measured by its letters needs no escape, and has the width of its graphemes", () => {
  const character = fc.oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
    fc.constantFrom("a", " ", "決", "Ж", "\u115f", "\u1160", "\u0301", "\u200d", "\ufe0f", "🇨", "👩", "ℹ", "ﾞ", "भ", "ु"),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 6 }), fc.constantFrom(3, 120), (characters, most) => {
      const text = characters.join("");
      const width = widthOf(text, most);
      if (width === 0) return;
      expect(visible(text)).toBe(text);
      expect(measure(text)).toEqual({ width, end: text.length });
      expect(width).toBeLessThanOrEqual(most);
    }),
    runs(150, 40_000),
  );
});

test.each([
  ["Казначейство 7", 14],
  ["決済リレー", 10],
  ["Πληρωμές", 8],
])("%j takes %i columns", (text, width) => {
  expect(widthOf(text, 120)).toBe(width);
  expect(widthOf(text, width - 1)).toBe(0);
});

test.each(["", "भुगतान", "a\u0301", "👩", "a\u0007", "\u3164", "a–b"])("%j is measured by its graphemes", (text) => {
  expect(widthOf(text, 120)).toBe(0);
});
