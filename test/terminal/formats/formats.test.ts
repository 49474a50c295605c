import fc from "fast-check";
import { type JsonObject, parseJson, withLastJsonMember } from "../../../src/contract/json.ts";
import { type ListItem, listItemsOf, readListReply } from "../../../src/contract/reply/list-reply.ts";
import { coloredJson } from "../../../src/terminal/formats/colored-json.ts";
import { csvRow, delimitedKeyValues, tsvRow } from "../../../src/terminal/formats/delimited.ts";
import { ndjsonBytes, ndjsonLine, ndjsonLineWith } from "../../../src/terminal/formats/ndjson.ts";
import { jsonValueText } from "../../../src/terminal/render/value.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { MAX_U128, relayer } from "../sample-relayers.ts";

test("writes one line for any content", () =>
  expect(ndjsonLine(relayer(`{"id":"a\\nb","cap":${MAX_U128}}`))).toBe(`{"id":"a\\nb","cap":${MAX_U128}}\n`));

function itemsIn(items: string): readonly ListItem[] {
  return readListReply(new TextEncoder().encode(`{"success":true,"data":[${items}]}`), 100_000)?.items ?? [];
}

function lines(items: readonly ListItem[]): string[] {
  return new TextDecoder().decode(ndjsonBytes(items)).split("\n").slice(0, -1);
}

describe("the bytes of items", () => {
  test("copies consecutive items unchanged", () =>
    expect(lines(itemsIn('{"id":"a"},{"id":"é","x":1.0},{"id":"c"}'))).toEqual([
      '{"id":"a"}',
      '{"id":"é","x":1.0}',
      '{"id":"c"}',
    ]));

  test("leaves out items that the filter removed", () => {
    const items = itemsIn('{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}');
    expect(lines(items.filter((_, index) => index !== 1))).toEqual(['{"id":"a"}', '{"id":"c"}', '{"id":"d"}']);
  });

  test("does not copy the spaces between items", () =>
    expect(lines(itemsIn(' {"id":"a"} ,\n{"id":"b"}\t'))).toEqual(['{"id":"a"}', '{"id":"b"}']));

  test("writes an item that cannot be copied between those that can", () => {
    const urls = '"custom_rpc_urls":[{"url":"https://h.example/key"}]';
    expect(lines(itemsIn(`{"id":"a"},{"id":"b",${urls}},{"id": "c"},{"id":"d"}`))).toEqual([
      '{"id":"a"}',
      '{"id":"b","custom_rpc_urls":[{"url":"https://h.example/***"}]}',
      '{"id":"c"}',
      '{"id":"d"}',
    ]);
  });

  test("masks an RPC URL that differs from those that were found harmless, in this response and the next", () => {
    const item = (id: string, path: string) => `{"id":"${id}","custom_rpc_urls":["https://é.example/${path}"]}`;
    const harmless = new Set<string>();
    const written = (items: string) => new TextDecoder().decode(ndjsonBytes(itemsIn(items), false, harmless));
    const masked = (id: string) => `${item(id, "***")}\n`;
    expect(written(`${item("a", "***")},${item("b", "***")},${item("c", "key")}`)).toBe(
      ["a", "b", "c"].map(masked).join(""),
    );
    expect(written(`${item("d", "key")},${item("e", "***")}`)).toBe(["d", "e"].map(masked).join(""));
    expect(harmless.size).toBe(1);
  });

  test("writes items that do not come from a response", () =>
    expect(lines(listItemsOf([{ id: "a", x: 2n ** 70n }, { id: "b" }]))).toEqual([
      '{"id":"a","x":1180591620717411303424}',
      '{"id":"b"}',
    ]));

  test("combines the items of several responses", () =>
    expect(lines([...itemsIn('{"id":"a"},{"id":"b"}'), ...itemsIn('{"id":"c"}')])).toEqual([
      '{"id":"a"}',
      '{"id":"b"}',
      '{"id":"c"}',
    ]));

  test("writes nothing for an empty list", () => expect(ndjsonBytes([])).toHaveLength(0));
});

/** Checks that the text of an object leads to the same line as its members. */
function expectSameLine(text: string): void {
  const object = parseJson(text) as JsonObject;
  const value = { late: false, meaning: "a, b" };
  expect(ndjsonLineWith(object, text, "delivery", value)).toBe(
    ndjsonLine(withLastJsonMember(object, "delivery", value)),
  );
}

test("adds a member to an object as if it was written again, however it was written", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", " ", ",", ":", '"', "\\", "{", "]", "\u0085", "é", "\u2028") });
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 3 }, texts, fc.integer(), fc.boolean(), fc.constant(null), tie("list"), tie("object")),
    list: fc.array(tie("tree"), { maxLength: 3 }),
    object: fc.dictionary(texts, tie("tree"), { maxKeys: 3 }),
  }));
  fc.assert(
    fc.property(fc.dictionary(texts, tree, { maxKeys: 4 }), fc.constantFrom("", " ", "\t"), (object, indent) =>
      expectSameLine(JSON.stringify(object, undefined, indent)),
    ),
  );
});

test.each([
  "{}",
  " {}",
  "{ }",
  '{"a":1}\n',
  '{"a" :1}',
  '{"a": 1}',
  '{"a":1 ,"b":[ ]}',
  '{"7":1.0,"a":12345678901234567890,"1":-0,"b":1e21}',
  '{"a":"\\u0041\\/"}',
  '{"delivery":1,"a":2}',
  '{"a":"\u007f\u0090"}',
])("adds a member to %j", expectSameLine);

describe("JSON", () => {
  test("keeps order, unknown members, nulls, and every digit", () =>
    expect(jsonValueText(relayer(`{"z":null,"7":1.0,"a":{"cap":${MAX_U128}},"e":1e21}`))).toBe(`\
{
  "z": null,
  "7": 1.0,
  "a": {
    "cap": ${MAX_U128}
  },
  "e": 1e21
}
`));
});

describe("colored JSON", async () => {
  const style = await createStyle(true);

  test("colors keys, texts, numbers, and words", () =>
    expect(coloredJson('{"a": "b", "c": [1.5e3, true, null]}', style)).toBe(
      '{\u001b[2m"a"\u001b[22m: \u001b[32m"b"\u001b[39m, \u001b[2m"c"\u001b[22m: ' +
        "[\u001b[33m1.5e3\u001b[39m, \u001b[33mtrue\u001b[39m, \u001b[2mnull\u001b[22m]}",
    ));

  test("leaves a text that would take too much stack as it is", () => {
    const json = `"${"x".repeat(2 ** 24)}"`;
    expect(coloredJson(json, style) === json).toBe(true);
  });

  test("changes nothing but colors", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const shown = json.replaceAll("\u001b", "");
        expect(coloredJson(shown, style).replaceAll(/\u001b\[\d+m/g, "")).toBe(shown);
      }),
    );
  });
});

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
