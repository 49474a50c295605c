import fc from "fast-check";
import { currencyOf, LAMPORTS, STROOPS } from "../../src/contract/amount.ts";
import { commandLine } from "../../src/shell/shell-words.ts";
import { asciiOutput, asciiText } from "../../src/terminal/ascii.ts";
import {
  createEmojiLength,
  escapeFlatCell,
  escapeJson,
  escapeLines,
  escapeText,
  escapeYaml,
  needsNoEscape,
} from "../../src/terminal/escape.ts";
import { SIGNS } from "../../src/terminal/view.ts";
import { textWidth } from "../../src/terminal/width.ts";
import { wrapFolded, wrapSeparateLines, wrapText } from "../../src/terminal/wrap.ts";
import { showAmount } from "../../src/views/policy-field.ts";
import { anyCharacter } from "../helpers/any-character.ts";
import { countedSteps } from "../helpers/counted-steps.ts";
import { runs } from "../helpers/deep.ts";
import { memoryOutput } from "../helpers/memory/output.ts";
import { argvsUnder } from "../helpers/shell.ts";
import { MAX_U128 } from "./sample-relayers.ts";

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
    expect(escapeText(text)).toBe(shown);
  });

  test.each(["Base hot 🚀", "👩‍💻 ops", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇨🇭", "1️⃣", "漢字 カナ", "café e\u0301", "back\\slash"])(
    "keeps %s",
    (text) => {
      expect(escapeText(text)).toBe(text);
      expect(needsNoEscape(text)).toBe(true);
    },
  );

  test("contains no control characters, and a second escape changes nothing", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = escapeText(text);
        expect(shown).not.toMatch(ACTS);
        expect(escapeText(shown)).toBe(shown);
      }),
      runs(150, 50_000),
    );
  });

  test("is escaped the same way with and without emoji joiners", () => {
    const joiner = "\u200d";
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(!/[\u200d]|\ufe0f|[\u{e0020}-\u{e007f}]/u.test(text));
        expect(escapeText(`${text}|${joiner}`)).toBe(`${escapeText(text)}|\\u{200d}`);
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

const redact = (text: string) => text;

describe("a text in ASCII", () => {
  test("has ASCII for each sign of this program, and keeps what else it holds", () => {
    expect(asciiText("✓ cap 80 gwei → 120 gwei · 3 of 5 – 2 × 4 …")).toBe(
      "+ cap 80 gwei -> 120 gwei - 3 of 5 - 2 x 4 ...",
    );
    expect(asciiText("↑/↓ move ⠋ █░")).toBe("up/down move * #.");
    expect(asciiText("Zoë 漢字 “x”")).toBe("Zoë 漢字 “x”");
  });

  test("has signs of one column that differ from each other", () => {
    const shown = Object.values(SIGNS).map(asciiText);
    expect(new Set(shown).size).toBe(shown.length);
    for (const sign of shown) expect(textWidth(sign)).toBe(1);
  });
});

const written = async (terminal: boolean, env: Record<string, string>) => {
  const output = memoryOutput({ terminal, columns: 80, rows: 24, redact });
  await asciiOutput(output, env).write("● eth-main-1  nonce sy…\n");
  return output.text();
};

test.each([
  [true, { LC_ALL: "C" }, "* eth-main-1  nonce sy~\n"],
  [true, { LC_ALL: "en_US.UTF-8", LANG: "C" }, "● eth-main-1  nonce sy…\n"],
  [false, { LC_ALL: "C" }, "● eth-main-1  nonce sy…\n"],
])("what is written for people to a terminal (%s) with %j", async (terminal, env, expected) => {
  expect(await written(terminal, env)).toBe(expected);
});

describe("text that is made safe", () => {
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
        expect(escapeText(text)).toBe(byPattern(text));
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
    expect(await countedSteps(() => escapeText(long))).toBeLessThan(30 * long.length);
  });
});

const CURRENCIES = { wei: currencyOf("evm", "ETH"), lamport: LAMPORTS, stroop: STROOPS };

test.each([
  [80000000000, "wei", "0.00000008 ETH (80000000000)"],
  ["500000000000000000", "wei", "0.5 ETH (500000000000000000)"],
  ["0x12a05f200", "wei", "0.000000005 ETH (5000000000)"],
  [12, "wei", "0.000000000000000012 ETH (12)"],
  [BigInt(MAX_U128), "wei", `340282366920938463463.374607431768211455 ETH (${MAX_U128})`],
  [10000000, "lamport", "0.01 SOL (10000000)"],
  [5, "stroop", "0.0000005 XLM (5)"],
  [null, "wei", ""],
  [undefined, "wei", ""],
  ["a lot", "wei", "a lot"],
] as const)("shows %s %s as %s", (value, unit, shown) => expect(showAmount(value, CURRENCIES[unit])).toBe(shown));

test.each([
  ["that fit stay on one line", "one two three", 13, ["one two three"]],
  ["continue on the next line", "one two three", 12, ["one two", "three"]],
  ["with wide characters count two columns per character", "狐狐 狐狐", 8, ["狐狐", "狐狐"]],
  ["that are too wide are never cut", `a ${"x".repeat(20)} b`, 10, ["a", "x".repeat(20), "b"]],
  ["that are too wide stay next to a bullet", "- 1234567890", 10, ["- 1234567890"]],
  ["may be empty", "", 10, [""]],
  [
    "keep an amount next to its unit",
    "below (5 XLM) or 1.5 gwei, in 12 s",
    12,
    ["below", "(5 XLM) or", "1.5 gwei, in", "12 s"],
  ],
  ["after a number are words like others", "in all 5 relayers", 8, ["in all 5", "relayers"]],
  ["keep the spaces between them", "a  b c", 6, ["a  b c"]],
])("words: %s", (_, text, width, lines) => expect(wrapText(text, width)).toEqual(lines));

describe("a command is never broken", () => {
  const RESUME = "relayctl -c prod relayers resume eth-main-2";

  test.each([
    ["at the end of a text", `by an operator: ${RESUME}`, ["by an", "operator:", RESUME]],
    ["with quoted words", "so relayctl a --reason 'b; c' d e", ["so", "relayctl a --reason 'b; c' d e"]],
    ["up to a comma or a semicolon", `try ${RESUME}; it waits`, ["try", `${RESUME};`, "it waits"]],
    ["with a variable", `see A_B='c d' ${RESUME}, or not`, ["see", `A_B='c d' ${RESUME},`, "or not"]],
    ["but a variable alone is a word like others", "A=b is not a command", ["A=b is not a", "command"]],
    ["between backticks", `run \`${RESUME}\`, or wait`, ["run", `\`${RESUME}\`,`, "or wait"]],
    ["without an end of its quotes", "so relayctl a 'b c", ["so", "relayctl a 'b c"]],
    ["without an end of its backticks", "so `relayctl a b c", ["so", "`relayctl a b c"]],
    ["but the name alone is a word like others", "a newer relayctl", ["a newer", "relayctl"]],
  ])("%s", (_, text, lines) => expect(wrapText(text, 12)).toEqual(lines));

  test("and two of them are two", () =>
    expect(wrapText("relayctl a b, or relayctl c d", 14)).toEqual(["relayctl a b,", "or", "relayctl c d"]));
});

describe("names", () => {
  const names = ["base-hot", "eth-main-1", "polygon-bulk", "sol-pay"];

  test.each([
    [100, "base-hot, eth-main-1, polygon-bulk, sol-pay"],
    [43, "base-hot, eth-main-1, polygon-bulk, sol-pay"],
    [42, "base-hot, eth-main-1, and 2 more"],
    [31, "base-hot, and 3 more"],
    [19, "4 in all"],
    [1, "4 in all"],
  ])("in %d columns: %s", (width, shown) => expect(wrapFolded(names, width)).toBe(shown));

  test("of a large fleet fit on one line", () => {
    const fleet = Array.from({ length: 100_000 }, (_, index) => `relayer-${index}`);
    expect(wrapFolded(fleet, 40)).toBe("relayer-0, relayer-1, and 99,998 more");
  });
});

test("a text that looks like variables of a command takes no longer than others", () => {
  const quotes = `A=${"'b'".repeat(10_000)} or not`;
  expect(wrapText(quotes, 12)).toEqual([quotes.slice(0, -7), "or not"]);
});

test("a command that is continued on further lines has the same words when it is pasted", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "--policy",
      "--name",
      "-c",
      "it's a name",
      "a\\'b c",
      'say "it\'s" now',
      "$(date) x",
      "",
      "\\",
      "'",
    ),
    fc.string({ unit: fc.constantFrom("a", " ", "'", '"', "\\", "-", "$", ";"), maxLength: 30 }),
  );
  const cases = fc.sample(fc.tuple(fc.array(word, { minLength: 1, maxLength: 8 }), fc.integer({ min: 12, max: 60 })), {
    numRuns: 500,
  });
  const commands = cases.map(([words]) => commandLine(...words));
  const pasted = cases.map(([, width], at) => wrapSeparateLines(commands[at] ?? "", width)?.join("\n") ?? "");
  expect(pasted.filter((text) => text.includes(" \\\n")).length).toBeGreaterThan(200);
  const argvs = (texts: readonly string[]) => argvsUnder("/bin/sh", "relayctl", texts.join("\n"));
  expect(argvs(pasted)).toEqual(argvs(commands));
});
