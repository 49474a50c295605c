import { parseJson, withoutComments } from "../../../src/contract/json.ts";

test.each<[string, string, unknown]>([
  ["a line comment", '{"a":1} // b', { a: 1 }],
  ["a multi-line block comment", '{/* "a":\n2, */"b":3}', { b: 3 }],
  ["an unclosed block comment", "[1] /* 2", [1]],
  ["slashes in a string", '{"url":"https://a.example/*x*/"}', { url: "https://a.example/*x*/" }],
  ["an escaped quote in a string", '{"a":"\\"//"}', { a: '"//' }],
  ["a quote in a comment", '{"a":1 // it"s\n}', { a: 1 }],
  ["a trailing comma before a comment", '{"a":[1,2,], // x\n}', { a: [1, 2] }],
  ["a comma and a bracket in a string", '{"a":",]"}', { a: ",]" }],
  ["a byte order mark", "\ufeff[]", []],
])("%s", (_, text, value) => expect(parseJson(withoutComments(text))).toEqual(value));

test("keeps every digit", () =>
  expect(parseJson(withoutComments("[340282366920938463463374607431768211455 /* u128 */]"))).toEqual([
    2n ** 128n - 1n,
  ]));

test("keeps every position", () => {
  const text = '// one\r\n{ /* two\n */ "a": 1, // three\n}';
  const json = withoutComments(text);
  expect(json).toHaveLength(text.length);
  expect(json.indexOf('"a"')).toBe(text.indexOf('"a"'));
  expect(json.split("\n").map((line) => line.length)).toEqual(text.split("\n").map((line) => line.length));
});

test("leaves a string without a closing quote to the parser", () =>
  expect(() => parseJson(withoutComments('{"a": "b // c\n}'))).toThrow("at line 1 column 14"));
