import { expect, test } from "vitest";
import { screenText } from "../../src/terminal/screen.ts";
import { createStyle } from "../../src/terminal/style.ts";
import type { ScreenLine } from "../../src/terminal/view.ts";

const LINES: readonly ScreenLine[] = [
  {
    label: { text: "disabled", tone: "bad" },
    name: "eth-sepolia",
    words: "nonce sync failed: it tries again by itself",
  },
  { label: { text: "paused", tone: "warn" }, name: "狐", words: "by an operator" },
  { label: { text: "active" }, names: ["base-hot", "eth-main-1"] },
];
const plain = await createStyle(false);

test("labels, names and words stand in columns, and healthy names begin where names do", () => {
  expect(screenText(LINES, 100, plain)).toBe(
    "disabled  eth-sepolia  nonce sync failed: it tries again by itself\n" +
      "paused    狐           by an operator\n" +
      "active    base-hot, eth-main-1\n",
  );
});

test("words go on under themselves", () => {
  expect(screenText(LINES, 50, plain)).toBe(
    "disabled  eth-sepolia  nonce sync failed: it tries\n" +
      "                       again by itself\n" +
      "paused    狐           by an operator\n" +
      "active    base-hot, eth-main-1\n",
  );
});

test("beside a name that leaves no room they begin below it", () => {
  expect(screenText(LINES.slice(0, 2), 40, plain)).toBe(
    "disabled  eth-sepolia\n" +
      "          nonce sync failed: it tries\n" +
      "          again by itself\n" +
      "paused    狐\n" +
      "          by an operator\n",
  );
});

test("what a service says is escaped, and measured as it is shown", () => {
  const hostile: ScreenLine = { label: { text: "a\u001b" }, name: "b\n", words: "c\u202e" };
  const folded: ScreenLine = { label: { text: "x" }, names: ["d\u001b[2J"] };
  expect(screenText([hostile, folded], 100, plain)).toBe("a\\u{1b}  b\\u{a}  c\\u{202e}\nx        d\\u{1b}[2J\n");
});

test("colour is only on the label", async () => {
  const lines = screenText(LINES, 100, await createStyle(true)).split("\n");
  expect(lines[0]).toMatch(/^\u001b\[31mdisabled\u001b\[39m {2}eth-sepolia/);
  expect(lines[2]).toBe("active    base-hot, eth-main-1");
});
