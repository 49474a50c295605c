import fc from "fast-check";
import stringWidth from "string-width";
import { textWidth, widthUpTo } from "../../../src/terminal/width.ts";
import { countedSteps } from "../../helpers/counted-steps.ts";

/** Whole graphemes of many scripts, each as a terminal draws it. */
const GRAPHEMES = [
  ..."aZ~é漢字かな한ｱＡ…–№אبहกქ😀🚀❤©☀",
  ...["e\u0301", "a\u0323\u0307", "का", "ก็", "각", "🇩🇪", "👍🏻", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
  ...["👩‍💻", "👨🏻‍💻", "👨‍👩‍👧‍👦", "👩🏻‍❤️‍💋‍👨🏿", "👁️‍🗨️", "🏃🏻‍♀️‍➡️", "🏳️‍🌈"],
];

test.each(GRAPHEMES)("%s has the same width as in string-width", (grapheme) => {
  expect(textWidth(grapheme)).toBe(stringWidth(grapheme));
});

test("a text is as wide as the sum of its graphemes, up to the limit", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...GRAPHEMES), { maxLength: 20 }), fc.nat(40), (graphemes, most) => {
      // A letter between them: otherwise, the letters of two flags would form other flags.
      const text = graphemes.join("x");
      const width = stringWidth(text);
      expect(textWidth(text)).toBe(width);
      expect(widthUpTo(text, most)).toBe(Math.min(most, width));
    }),
  );
});

test.each(["e\u0301", "\u0301", "漢", "👨‍👩‍👧‍👦", "🇩", "\u1100"])(
  "measuring %j takes steps that grow linearly with the length",
  async (text) => {
    const long = text.repeat(20_000 / text.length);
    expect(await countedSteps(() => textWidth(long))).toBeLessThan(10 * long.length);
  },
);
