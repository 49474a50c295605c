import { expect, test } from "vitest";
import { csvRow } from "../../../src/terminal/formats/delimited.ts";
import { MAX_U128 } from "../sample-relayers.ts";

test.each([
  ["plain", "plain"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  [" led by a space", '" led by a space"'],
  ["two\nlines", "two\\nlines"],
  ["back\\slash", "back\\\\slash"],
  ["\u001b[31m", "\\u{1b}[31m"],
  ["=1+1", "'=1+1"],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ["+SUM(A1)", "'+SUM(A1)"],
  ["-cmd", "'-cmd"],
  ["@x", "'@x"],
  ["\t=1", "'\\t=1"],
  ["\r=1", "'\\r=1"],
  ["＝1", "'＝1"],
  ["-5", "-5"],
  ["+5.5", "+5.5"],
  ["-1e9", "-1e9"],
  [MAX_U128, MAX_U128],
])("writes the cell %j as %s", (text, cell) => {
  expect(csvRow([text])).toBe(`${cell}\r\n`);
});

test("separates cells by commas and ends in CRLF", () => {
  expect(csvRow(["a", "", "c"])).toBe("a,,c\r\n");
});
