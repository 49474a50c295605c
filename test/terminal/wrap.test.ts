import fc from "fast-check";
import { commandLine } from "../../src/shell/shell-words.ts";
import { wrapFolded, wrapSeparateLines, wrapText } from "../../src/terminal/wrap.ts";
import { argvsUnder } from "../helpers/shell.ts";

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
