import fc from "fast-check";
import stringWidth from "string-width";
import { messageText } from "../../src/message.ts";
import { visible } from "../../src/terminal/escape.ts";
import { shortenText } from "../../src/terminal/text/cut.ts";
import { alignWidths, isSingleWidth, textWidth } from "../../src/terminal/width.ts";

test.each([
  ["relayer", 7],
  ["漢字", 4],
  ["🚀", 2],
  ["👩‍💻", 2],
  ["e\u0301", 1],
  ["", 0],
])("%s takes %d columns", (text, width) => expect(textWidth(text)).toBe(width));

test.each([
  ["Mainnet 1", 9, "Mainnet 1"],
  ["Mainnet 1", 5, "Main…"],
  ["漢字漢字", 5, "漢字…"],
  ["漢字漢字", 4, "漢…"],
  ["👩‍💻👩‍💻", 3, "👩‍💻…"],
  ["ab", 1, "…"],
])("cuts %s to %d columns: %s", (text, most, cut) => {
  expect(shortenText(text, most)).toBe(cut);
  expect(textWidth(cut)).toBeLessThanOrEqual(most);
});

test("text of single-width characters needs no escape", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."aZ ~·–…→\u007f\u00ad\n漢") }), (text) => {
      if (isSingleWidth(text)) expect([visible(text), stringWidth(text)]).toEqual([text, text.length]);
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
