import fc from "fast-check";
import {
  escapeFlatCell,
  escapeJson,
  escapeLines,
  escapeYaml,
  needsNoEscape,
  visible,
} from "../../src/terminal/escape.ts";
import { anyCharacter } from "../helpers/any-character.ts";
import { runs } from "../helpers/deep.ts";

/** Any text, with the characters that matter here far more often than chance would give them. */
const nasty = fc.constantFrom(
  ..."\u0000\u001b\u0007\b\n\r\t\u007f\u009b\u200b\u200d\u200e\u202e\u2066\u2028\ufeff\ufe0f\u00ad\\".split(""),
);
const rare = fc.constantFrom(
  "\u{e0041}",
  "\u{e0100}",
  "\ud83d",
  "\udc00",
  "👩‍💻",
  "❤️",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "🇨🇭",
  "漢字",
  "e\u0301",
  "1",
  "\u20e3",
);
const anyText = fc
  .array(fc.oneof(nasty, rare, fc.string({ unit: anyCharacter })), { maxLength: 12 })
  .map((parts) => parts.join(""));

const ACTS = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u00ad]|\p{Cs}/u;

describe("visible text", () => {
  test.each([
    ["\u001b[31mred", "\\u{1b}[31mred"],
    ["a\nb\tc\rd", "a\\u{a}b\\u{9}c\\u{d}d"],
    ["\u009b2J", "\\u{9b}2J"],
    ["admin\u202egpj", "admin\\u{202e}gpj"],
    ["zero\u200bwidth\ufeff", "zero\\u{200b}width\\u{feff}"],
    ["tag\u{e0041}", "tag\\u{e0041}"],
    ["v\ufe0f", "v\\u{fe0f}"],
    ["half\ud83d", "half\\u{d83d}"],
    ["joined\u200dletters", "joined\\u{200d}letters"],
  ])("escapes characters that control the terminal or hide text: %j", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test.each(["Base hot 🚀", "👩‍💻 ops", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇨🇭", "1️⃣", "漢字 カナ", "café e\u0301", "back\\slash"])(
    "keeps %s",
    (text) => {
      expect(visible(text)).toBe(text);
      expect(needsNoEscape(text)).toBe(true);
    },
  );

  test("contains no control characters, and a second escape changes nothing", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = visible(text);
        expect(shown).not.toMatch(ACTS);
        expect(visible(shown)).toBe(shown);
      }),
      runs(150, 50_000),
    );
  });

  test("is escaped the same way with and without emoji joiners", () => {
    const joiner = "\u200d";
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(!/[\u200d]|\ufe0f|[\u{e0020}-\u{e007f}]/u.test(text));
        expect(visible(`${text}|${joiner}`)).toBe(`${visible(text)}|\\u{200d}`);
      }),
      runs(150, 50_000),
    );
  });

  test("keeps line breaks and tabs in multi-line text", () =>
    expect(escapeLines("a\n\tb\u001b\r\n")).toBe("a\n\tb\\u{1b}\\u{d}\n"));
});

describe("a flat cell", () => {
  test("escapes backslash, tab, LF, and CR by letter, and all other characters by code", () =>
    expect(escapeFlatCell("a\\b\tc\nd\re\u001bf\u200bg")).toBe("a\\\\b\\tc\\nd\\re\\u{1b}f\\u{200b}g"));

  test("is on one line, and unescapes to the original text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cell = escapeFlatCell(text);
        expect(cell).not.toMatch(ACTS);
        expect(unescaped(cell)).toBe(text);
      }),
      runs(150, 50_000),
    );
  });
});

describe("a document for a terminal", () => {
  test("is the same JSON, without control characters", () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (value) => {
        const document = JSON.stringify(value, undefined, 2);
        expect(escapeJson(document).replaceAll("\n", "")).not.toMatch(ACTS);
        expect(JSON.parse(escapeJson(document))).toEqual(JSON.parse(document));
      }),
    );
  });

  test("uses the escapes of YAML in YAML", () =>
    expect(escapeYaml('a: "\u202e\u{e0041}"\n')).toBe('a: "\\U0000202e\\U000e0041"\n'));
});

function unescaped(cell: string): string {
  const letters: Record<string, string> = { t: "\t", n: "\n", r: "\r", "\\": "\\" };
  return cell.replace(/\\(?:u\{([0-9a-f]+)\}|([\\tnr]))/g, (_, code, letter) =>
    code === undefined ? (letters[letter] ?? "") : String.fromCodePoint(Number.parseInt(code, 16)),
  );
}
