import { expect, test } from "vitest";
import { aligned } from "../../src/terminal/width.ts";

test("aligns columns for characters of any width, and ends no line in spaces", () => {
  expect(
    aligned([
      ["a", "狐狸", "x"],
      ["long", "b", "y"],
      ["", "c"],
    ]),
  ).toEqual(["a     狐狸  x", "long  b     y", "      c"]);
  expect(aligned([])).toEqual([]);
});
