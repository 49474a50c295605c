import fc from "fast-check";
import {
  type JsonObject,
  type JsonValue,
  keysOf,
  NumberLiteral,
  parseJson,
  prettyJson,
  writeJson,
} from "../../../src/contract/json.ts";

test.each([
  '{"a":1,"b":[1,2,{"c":null}],"d":""}',
  '{"10":1,"9":2,"a":3,"1":4}',
  "[340282366920938463463374607431768211455,-0,1.0,1e400,0.10]",
  '{"__proto__":1,"constructor":2}',
  '"\\u0000\\u001f\\"\\\\ é 😀 \u2028"',
  "[]",
  "{}",
  '[[],{},""]',
])("%s is written unchanged", (text) => expect(writeJson(parseJson(text))).toBe(text));

test("any JSON has a stable compact form", () => {
  const json = fc.json().filter((text) => text.isWellFormed() && !/\\u[dD][89a-fA-F]/.test(text));
  fc.assert(
    fc.property(json, (text) => {
      const once = writeJson(parseJson(text));
      expect(writeJson(parseJson(once))).toBe(once);
      expect(JSON.parse(once)).toEqual(JSON.parse(text));
    }),
  );
});

test("integers of any size are unchanged", () => {
  fc.assert(fc.property(fc.bigInt(), (integer) => writeJson(parseJson(String(integer))) === String(integer)));
});

describe("pretty JSON", () => {
  test("is indented by two spaces, with empty values on one line", () =>
    expect(prettyJson({ a: [1, { b: 2n }], c: [], d: {} })).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": 2\n    }\n  ],\n  "c": [],\n  "d": {}\n}',
    ));

  test("has the same value for JSON.parse", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(JSON.parse(prettyJson(value as JsonValue)))).toBe(JSON.stringify(value));
      }),
    );
  });
});

test("an undefined field is omitted like an absent one", () =>
  expect(writeJson({ a: undefined, b: 1 } as unknown as JsonObject)).toBe('{"b":1}'));

test.each([Number.NaN, Number.POSITIVE_INFINITY])("%s is rejected", (number) => {
  expect(() => writeJson(number)).toThrow(RangeError);
});

test("a negative zero keeps its sign", () =>
  expect([writeJson(-0), writeJson(new NumberLiteral("-0"))]).toEqual(["-0", "-0"]));

describe("the order of keys", () => {
  const object = parseJson('{"b":1,"2":2,"1":3}') as JsonObject;

  test("is the order in the text, even for numeric keys", () => expect(keysOf(object)).toEqual(["b", "2", "1"]));

  test("includes fields that are added later", () => {
    const changed = parseJson('{"b":1,"1":3}') as JsonObject;
    changed.c = 4;
    delete changed.b;
    expect([...keysOf(changed)].sort()).toEqual(["1", "c"]);
  });
});
