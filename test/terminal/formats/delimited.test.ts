import fc from "fast-check";
import { csvRow, delimitedKeyValues, tsvRow } from "../../../src/terminal/formats/delimited.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { MAX_U128, relayer } from "../sample-relayers.ts";

describe("csv", () => {
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
  ])("writes the cell %j as %s", (text, cell) => expect(csvRow([text])).toBe(`${cell}\r\n`));

  test("separates cells by commas and ends in CRLF", () => expect(csvRow(["a", "", "c"])).toBe("a,,c\r\n"));
});

describe("tsv", () => {
  test("separates cells by tabs and ends in LF", () => expect(tsvRow(["a", "", "b c"])).toBe("a\t\tb c\n"));

  test("writes one line with exactly the given number of cells, for any content", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1 }), (cells) => {
        const row = tsvRow(cells);
        expect(row.split("\t")).toHaveLength(cells.length);
        expect(row.indexOf("\n")).toBe(row.length - 1);
      }),
    );
  });
});

const item = relayer(
  `{"id":"r1","name":"a\\tb","notification_id":null,"policies":{"cap":${MAX_U128},"list":["x"]},"none":{},"we\\tird":true}`,
);

describe("keys and values", () => {
  test("writes one line per leaf, in the order of the response", () =>
    expect(delimitedKeyValues(item)).toBe(`\
id\tr1
name\ta\\tb
notification_id\t
policies.cap\t${MAX_U128}
policies.list\t["x"]
none\t{}
we\\tird\ttrue
`));

  test("writes the requested lines, in the requested order", () =>
    expect(delimitedKeyValues(item, ["policies.cap", "id", "absent"])).toBe(
      `policies.cap\t${MAX_U128}\nid\tr1\nabsent\t\n`,
    ));
});
