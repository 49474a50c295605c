import fc from "fast-check";
import { expect, test } from "vitest";
import { cutDrawn } from "../../../src/terminal/text/cut.ts";
import { textWidth } from "../../../src/terminal/width.ts";
import { runs } from "../../helpers/deep.ts";

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
])("%s", (_, line, columns, cut) => {
  expect(cutDrawn(line, columns)).toBe(cut);
});

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
      const cut = cutDrawn(pieces.join(""), columns);
      const links = [...cut.matchAll(/\u001b\]8;;([\x21-\x7e]*)\u001b\\/g)].map(([, url]) => url);
      const shown = cut.replaceAll(/\u001b\[[0-9;]*m|\u001b\]8;;[\x21-\x7e]*\u001b\\/g, "");
      expect(textWidth(shown)).toBeLessThanOrEqual(columns);
      expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      if (links.length > 0) expect(links.at(-1)).toBe("");
    }),
    runs(100, 20_000),
  );
});
