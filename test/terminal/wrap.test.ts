import { describe, expect, test } from "vitest";
import { folded, wrapped } from "../../src/terminal/wrap.ts";

describe("words", () => {
  test.each([
    ["that fit stay on one line", "one two three", 13, ["one two three"]],
    ["continue on the next line", "one two three", 12, ["one two", "three"]],
    ["with wide characters count two columns per character", "狐狐 狐狐", 8, ["狐狐", "狐狐"]],
    ["that are too wide are never cut", `a ${"x".repeat(20)} b`, 10, ["a", "x".repeat(20), "b"]],
    ["may be empty", "", 10, [""]],
  ])("%s", (_, text, width, lines) => {
    expect(wrapped(text, width)).toEqual(lines);
  });
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
  ])("in %d columns: %s", (width, shown) => {
    expect(folded(names, width)).toBe(shown);
  });

  test("of a large fleet fit on one line", () => {
    const fleet = Array.from({ length: 100_000 }, (_, index) => `relayer-${index}`);
    expect(folded(fleet, 40)).toBe("relayer-0, relayer-1, and 99998 more");
  });
});
