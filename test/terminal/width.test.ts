import fc from "fast-check";
import stringWidth from "string-width";
import { messageText } from "../../src/message.ts";
import { escapeText } from "../../src/terminal/escape.ts";
import { cutDrawnText, cutText, isCutText, shortenText } from "../../src/terminal/text/cut.ts";
import { createGraphemeMeasure } from "../../src/terminal/text/grapheme-width.ts";
import { createLettersWidth } from "../../src/terminal/text/letters-width.ts";
import { alignWidths, isSingleWidth, textWidth, widthUpTo } from "../../src/terminal/width.ts";
import { anyCharacter } from "../helpers/any-character.ts";
import { countedSteps } from "../helpers/counted-steps.ts";
import { runs } from "../helpers/deep.ts";

test.each([
  ["relayer", 7],
  ["漢字", 4],
  ["🚀", 2],
  ["👩‍💻", 2],
  ["e\u0301", 1],
  ["", 0],
])("%s takes %d columns", (text, width) => expect(textWidth(text)).toBe(width));

test("text of single-width characters needs no escape", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."aZ ~·–…→\u007f\u00ad\n漢") }), (text) => {
      if (isSingleWidth(text)) expect([escapeText(text), stringWidth(text)]).toEqual([text, text.length]);
    }),
  );
});

test("aligns columns for characters of any width, and ends no line in spaces", () => {
  expect(
    alignWidths([
      ["a", "狐狸", "x"],
      ["long", "b", "y"],
      ["", "c"],
    ]).map(messageText),
  ).toEqual(["  a     狐狸  x", "  long  b     y", "        c"]);
  expect(alignWidths([])).toEqual([]);
});

describe("text that is cut", () => {
  test.each([
    ["Mainnet 1", 9, "Mainnet 1"],
    ["Mainnet 1", 5, "Main…"],
    ["漢字漢字", 5, "漢字…"],
    ["漢字漢字", 4, "漢…"],
    ["👩‍💻👩‍💻", 3, "👩‍💻…"],
    ["ab", 1, "…"],
    ["🚀".repeat(9), 2, "…"],
  ])("cuts %s to %d columns: %s", (text, most, expected) => {
    expect(shortenText(text, most)).toBe(expected);
    expect(textWidth(expected)).toBeLessThanOrEqual(most);
  });

  test("cuts a stack of marks although it takes one column, and splits no character", () => {
    expect(cutText(`e${"\u0301".repeat(1000)}`, 10)).toBe(`e${"\u0301".repeat(79)}…`);
    expect(cutText(`ab${"🚀".repeat(1000)}`, 2)).toBe("a…");
    expect(cutText("👨‍👩‍👧‍👦".repeat(1000), 20)).toBe(`${"👨‍👩‍👧‍👦".repeat(9)}…`);
  });

  test("cuts any text to its width, escaped, with a mark if it is cut, and whole if it fits", () => {
    const parts = fc.constantFrom(..."aé漢🚀\u0301\u200b\u202e\n…", "👨‍👩‍👧‍👦", "👨\u200d", "\ud83d", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿");
    const texts = fc.array(parts, { maxLength: 60 }).map((some) => some.join(""));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, most) => {
        const shown = cutText(text, most);
        expect(textWidth(shown)).toBeLessThanOrEqual(most);
        expect(escapeText(shown)).toBe(shown);
        if (shown !== escapeText(text)) expect(isCutText(text, shown) || text.endsWith("…")).toBe(true);
      }),
      runs(100, 6_000),
    );
  });

  test.each(["漢", "\u200b", "👨‍👩‍👧‍👦", "e\u0301"])(
    "does not escape or measure the part of %j that is cut off",
    async (text) => {
      const [some, more] = [text.repeat(10_000), text.repeat(100_000)];
      cutText(some, 100);
      expect(await countedSteps(() => cutText(more, 100))).toBe(await countedSteps(() => cutText(some, 100)));
    },
  );

  const [RED, PLAIN] = ["\u001b[31m", "\u001b[0m"];
  const [LINK, LINK_END] = ["\u001b]8;;https://example.org/\u001b\\", "\u001b]8;;\u001b\\"];

  test.each([
    ["a line that fits stays as it is", "abc", 3, "abc"],
    ["a line that does not fit ends with …", "abcd", 3, "ab…"],
    ["a color ends where the line is cut", `${RED}abcd`, 3, `${RED}ab…${PLAIN}`],
    ["a link ends where the line is cut", `${LINK}abcd${LINK_END}`, 3, `${LINK}ab…${LINK_END}`],
    ["a link that never ended ends with the line", `${LINK}ab`, 3, `${LINK}ab${LINK_END}`],
    ["a character of two columns is not halved", "日本語", 4, "日…"],
    ["a sequence that acts is shown, not sent", "a\u001b[2Jb", 20, "a\\u{1b}[2Jb"],
  ])("%s", (_, line, columns, cut) => expect(cutDrawnText(line, columns)).toBe(cut));

  const PIECES = fc.oneof(
    fc.constantFrom(
      RED,
      PLAIN,
      LINK,
      LINK_END,
      "\u001b[2J",
      "\u001b]0;title\u0007",
      "\u009b1A",
      "\n",
      "\t",
      "日",
      "👩‍👧",
    ),
    fc.string({ unit: "grapheme" }),
  );

  test("whatever is drawn, it takes no more than its columns, and only colors and balanced links are sent", () => {
    fc.assert(
      fc.property(fc.array(PIECES), fc.integer({ min: 1, max: 60 }), (pieces, columns) => {
        const cut = cutDrawnText(pieces.join(""), columns);
        const links = [...cut.matchAll(/\u001b\]8;;([\x21-\x7e]*)\u001b\\/g)].map(([, url]) => url);
        const shown = cut.replaceAll(/\u001b\[[0-9;]*m|\u001b\]8;;[\x21-\x7e]*\u001b\\/g, "");
        expect(textWidth(shown)).toBeLessThanOrEqual(columns);
        expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        if (links.length > 0) expect(links.at(-1)).toBe("");
      }),
      runs(100, 20_000),
    );
  });
});

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
      expect(escapeText(text)).toBe(text);
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
