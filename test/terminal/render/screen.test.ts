import { screenText } from "../../../src/terminal/render/screen.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import type { ScreenLine } from "../../../src/terminal/view.ts";

const LINES: readonly ScreenLine[] = [
  {
    label: { text: "disabled", tone: "bad" },
    name: "eth-sepolia",
    words: ["nonce sync failed: it tries again by itself"],
  },
  { label: { text: "paused", tone: "warn" }, name: "狐", words: ["by an operator"] },
  { label: { text: "active" }, names: ["base-hot", "eth-main-1"] },
];
const plain = await createStyle(false);

test("aligns labels, names, and words in columns, and healthy names with the names", () =>
  expect(screenText(LINES, 100, plain)).toBe(
    "disabled  eth-sepolia  nonce sync failed: it tries again by itself\n" +
      "paused    狐           by an operator\n" +
      "active    base-hot, eth-main-1\n",
  ));

const FACTS: readonly ScreenLine[] = [
  {
    label: { text: "paused" },
    name: "r1",
    words: ["by an operator", "since today"],
    facts: ["1.5 ETH", "10 pending", "nonce 8"],
  },
  { label: { text: "active" }, name: "r2", words: [], facts: ["0.15 ETH", "1 pending", "nonce 1205"] },
  { label: { text: "active" }, name: "r3", words: [], facts: ["30 SOL", "0 pending", ""] },
  { label: { text: "active" }, name: "r4", words: ["nothing is known"], facts: [] },
];

test("aligns facts in columns below the words, to the right except for the last", () =>
  expect(screenText(FACTS, 100, plain)).toBe(
    "paused  r1  by an operator\n" +
      "            since today\n" +
      "             1.5 ETH  10 pending  nonce 8\n" +
      "active  r2  0.15 ETH   1 pending  nonce 1205\n" +
      "active  r3    30 SOL   0 pending\n" +
      "active  r4  nothing is known\n",
  ));

test("begins lines with whole facts if they do not fit in one line", () =>
  expect(screenText(FACTS.slice(0, 3), 30, plain)).toBe(
    "paused  r1\n" +
      "        by an operator\n" +
      "        since today\n" +
      "        1.5 ETH, 10 pending\n" +
      "        nonce 8\n" +
      "active  r2\n" +
      "        0.15 ETH, 1 pending\n" +
      "        nonce 1205\n" +
      "active  r3\n" +
      "        30 SOL, 0 pending\n",
  ));

test("wraps words below the first word", () =>
  expect(screenText(LINES, 56, plain)).toBe(
    "disabled  eth-sepolia  nonce sync failed: it tries again\n" +
      "                       by itself\n" +
      "paused    狐           by an operator\n" +
      "active    base-hot, eth-main-1\n",
  ));

test("starts the words below a name that leaves no room", () =>
  expect(screenText(LINES.slice(0, 2), 40, plain)).toBe(
    "disabled  eth-sepolia\n" +
      "          nonce sync failed: it tries\n" +
      "          again by itself\n" +
      "paused    狐\n" +
      "          by an operator\n",
  ));

test("escapes the service's texts, and measures the escaped text", () => {
  const hostile: ScreenLine = { label: { text: "a\u001b" }, name: "b\n", words: ["c\u202e"], facts: ["\u001bd"] };
  const folded: ScreenLine = { label: { text: "x" }, names: ["d\u001b[2J"] };
  expect(screenText([hostile, folded], 100, plain)).toBe(
    "a\\u{1b}  b\\u{a}  c\\u{202e}\n                 \\u{1b}d\nx        d\\u{1b}[2J\n",
  );
});

test("colors only the label", async () => {
  const lines = screenText(LINES, 100, await createStyle(true)).split("\n");
  expect(lines[0]).toMatch(/^\u001b\[31mdisabled\u001b\[39m {2}eth-sepolia/);
  expect(lines[2]).toBe("active    base-hot, eth-main-1");
});
