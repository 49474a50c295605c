import fc from "fast-check";
import { visible } from "../../../src/terminal/escape.ts";
import { createEmojiLength } from "../../../src/terminal/text/replace-unsafe.ts";
import { countedSteps } from "../../helpers/counted-steps.ts";
import { runs } from "../../helpers/deep.ts";

/** The same rule as one pattern, which takes minutes for a large text. A text, since the compiler's target does not know `v`. */
const PATTERN = "\\p{RGI_Emoji}|([\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}])";
const EMOJI_OR_UNSAFE = new RegExp(PATTERN, "gv");

function byPattern(text: string): string {
  return text.replace(EMOJI_OR_UNSAFE, (part, unsafe?: string) =>
    unsafe === undefined ? part : `\\u{${(unsafe.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** What emoji are joined from, so that some sequences are emoji and most are nearly one. */
const parts = fc.constantFrom(
  ...["👨", "👩", "🧑", "👦", "👧", "❤", "💋", "💻", "🤝", "🏃", "♀", "♂", "➡", "👁", "🗨", "🏳", "🌈", "🏴", "☠", "©"],
  ...["\u200d", "\u200d", "\u200d", "\ufe0f", "\ufe0f", "🏻", "🏿", "🇩", "🇪", "1", "#", "\u20e3", "a", "漢"],
  ...["\u{e0067}", "\u{e0062}", "\u{e0065}", "\u{e006e}", "\u{e007f}", "\u{e0101}", "\u200b", "\u202e", "\ud83d"],
  ...["👨‍👩‍👧‍👦", "👩🏻‍❤️‍💋‍👨🏿", "🏃🏻‍♀️‍➡️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "👁️‍🗨️", "🏳️‍🌈", "❤️"],
);

test("keeps the emoji that Unicode recommends, and escapes all other joining or hidden characters", () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (texts) => {
      const text = texts.join("");
      expect(visible(text)).toBe(byPattern(text));
    }),
    runs(150, 50_000),
  );
});

test("escapes emoji after more different sequences than there are emoji", () => {
  const lengthOf = createEmojiLength(2);
  expect(["👩‍💻", "❤️", "🏳️‍🌈", "👩‍💻"].map((emoji) => lengthOf(emoji, 0))).toEqual([5, 2, 0, 5]);
});

test.each([
  ["zero-width characters", "\u200b"],
  ["line breaks in words", "a\n"],
  ["broken families", "👨\u200d"],
  ["whole families", "👨‍👩‍👧‍👦"],
  ["stacked marks", "e\u0301"],
])("takes steps that grow linearly with the length: %s", async (_, text) => {
  const long = `\u200d${text.repeat(20_000 / text.length)}`;
  expect(await countedSteps(() => visible(long))).toBeLessThan(30 * long.length);
});
