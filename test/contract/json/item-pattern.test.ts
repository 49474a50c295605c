import { describe, expect, test } from "vitest";
import { fieldsPattern, itemPattern } from "../../../src/contract/json/item-pattern.ts";
import { type JsonObject, type JsonValue, parseJson } from "../../../src/contract/json.ts";
import { readListReply } from "../../../src/contract/reply/list-reply.ts";
import { countedMatch } from "../../helpers/counted-match.ts";

function patterns(item: JsonObject): (string | undefined)[] {
  return [itemPattern(item), fieldsPattern(item, ["id", "x"])];
}

function nested(levels: number): JsonValue {
  return Array.from({ length: levels }).reduce<JsonValue>((value) => [value], 1);
}

describe("an item has no pattern", () => {
  test.each([2, 11, 16, 20, 30, 120])("with %i nested lists", (levels) => {
    expect(patterns({ id: "a", x: nested(levels) })).toEqual([undefined, undefined]);
  });

  test.each(['[{"a":[1]}]', "[1,[1]]", '[{"a":{"b":[]}}]', '{"a":[{"b":1},{"b":[]}]}'])(
    "with a list inside a list entry, as in %s",
    (x) => {
      expect(patterns({ id: "a", x: parseJson(x) })).toEqual([undefined, undefined]);
    },
  );

  test("if it would be longer than 16 KB", () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, [{ a: 1, b: 2 }]]));
    expect(patterns({ id: "a", ...fields(300) })).toEqual([undefined, undefined]);
    for (const pattern of patterns({ id: "a", ...fields(20) })) expect(pattern?.length).toBeLessThan(16_384);
  });
});

test("lists of objects and nested objects have a pattern", () => {
  const item = { id: "a", x: [{ url: "u", weight: 1 }], policies: { min: { value: "1" }, names: ["b"] } };
  for (const pattern of patterns(item)) {
    expect(countedMatch(pattern ?? "", JSON.stringify(item)).matches).toBe(true);
  }
});

test("a response with lists in lists is read without a pattern", () => {
  const item = (id: number) => `{"id":"r${id}","x":${"[".repeat(40)}1${"]".repeat(40)}}`;
  const body = `{"success":true,"data":[${Array.from({ length: 700 }, (_, index) => item(index))}],"error":null}`;
  expect(body.length).toBeGreaterThan(65_536);
  expect(readListReply(new TextEncoder().encode(body), 1_000_000)?.items).toHaveLength(700);
});

describe("an item that nearly matches is rejected within a few steps per character", () => {
  const EXAMPLE = { name: "n", x: ["1", 2], more: [{ a: 1, b: null }], inner: { c: { d: true } }, id: "a", last: 0 };
  const MOST_LOOKS = 40;
  const written = (changes: JsonObject) => JSON.stringify({ ...EXAMPLE, ...changes });

  test.each<[string, string]>([
    ["long runs of digits", written({ last: 0 }).replace(/0\}$/, `${"1".repeat(400)}x}`)],
    ["digits around a decimal point", written({ last: 0 }).replace(/0\}$/, `${"1".repeat(200)}.${"2".repeat(200)}e}`)],
    ["an unfinished exponent", written({ last: 0 }).replace(/0\}$/, `1e${"3".repeat(400)}-}`)],
    ["many escapes", written({ name: '\\"'.repeat(200) })],
    ["an escape at the end of a long string", written({ name: `${"n".repeat(400)}"` })],
    ["an unclosed string", written({ last: "x".repeat(400) }).slice(0, -2)],
    ["a long list with another last entry", written({ x: [...Array(200).fill(1), {}] })],
    ["a truncated list of strings", written({ x: Array(150).fill("1") }).replace(/\].*/, "")],
    ["objects with another last object", written({ more: [...Array(40).fill({ a: 12, b: "cd" }), { a: 1 }] })],
    ["another ending", written({ x: Array(60).fill("123") }).replace(/\}$/, ",")],
  ])("%s", (_, text) => {
    for (const pattern of patterns(EXAMPLE)) {
      const { matches, steps } = countedMatch(pattern ?? "", text);
      expect([matches, new RegExp(`^(?:${pattern})$`).test(text)]).toEqual([false, false]);
      expect(steps).toBeLessThan(MOST_LOOKS * text.length);
    }
  });

  test("unlike with an ambiguous pattern", () => {
    const text = `[${"1".repeat(400)}x`;
    expect(countedMatch("\\[[0-9]*[0-9]*\\]", text).steps).toBeGreaterThan(MOST_LOOKS * text.length);
  });
});
