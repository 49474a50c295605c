import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonObject, parseJson, withLastMember } from "../../../src/contract/json.ts";
import { ndjsonLine, ndjsonLineWith } from "../../../src/terminal/formats/ndjson.ts";

/** Checks that the text of an object leads to the same line as its members. */
function expectSameLine(text: string): void {
  const object = parseJson(text) as JsonObject;
  const value = { late: false, meaning: "a, b" };
  expect(ndjsonLineWith(object, text, "delivery", value)).toBe(ndjsonLine(withLastMember(object, "delivery", value)));
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
