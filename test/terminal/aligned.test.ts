import { expect, test } from "vitest";
import { aligned } from "../../src/terminal/aligned.ts";

test("columns stand under each other, whatever the width of their characters, and no line ends in spaces", () => {
  expect(
    aligned([
      ["a", "狐狸", "x"],
      ["long", "b", "y"],
      ["", "c"],
    ]),
  ).toEqual(["a     狐狸  x", "long  b     y", "      c"]);
  expect(aligned([])).toEqual([]);
});
