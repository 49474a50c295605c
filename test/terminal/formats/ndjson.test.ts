import fc from "fast-check";
import { type JsonObject, parseJson, withLastJsonMember } from "../../../src/contract/json.ts";
import { type ListItem, listItemsOf, readListReply } from "../../../src/contract/reply/list-reply.ts";
import { ndjsonBytes, ndjsonLine, ndjsonLineWith } from "../../../src/terminal/formats/ndjson.ts";
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
