import fc from "fast-check";
import { expect, test } from "vitest";
import { tsvRow } from "../../../src/terminal/formats/delimited.ts";

test("separates cells by tabs and ends in LF", () => {
  expect(tsvRow(["a", "", "b c"])).toBe("a\t\tb c\n");
});

test("writes one line with exactly the given number of cells, for any content", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), (cells) => {
      const row = tsvRow(cells);
      expect(row.split("\t")).toHaveLength(cells.length);
      expect(row.indexOf("\n")).toBe(row.length - 1);
    }),
  );
});
