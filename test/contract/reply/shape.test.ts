import { describe, expect, test } from "vitest";
import { parseJson } from "../../../src/contract/json.ts";
import {
  amount,
  count,
  deletion,
  exactly,
  flag,
  identified,
  listOf,
  nullish,
  object,
  optional,
  recordOf,
  type Shape,
  text,
} from "../../../src/contract/reply/shape.ts";

const person = object({ id: text, tags: nullish(listOf(text)), home: optional(object({ open: flag })) });

test.each<[string, Shape, string, string | undefined]>([
  ["all that is asked", person, '{"id":"a","tags":["x"],"home":{"open":true}}', undefined],
  ["members that are not known", person, '{"id":"a","later":[1]}', undefined],
  ["null where that may be", person, '{"id":"a","tags":null}', undefined],
  ["null where only absence may be", person, '{"id":"a","home":null}', "home"],
  ["no id", person, '{"tags":[]}', "id"],
  ["a wrong member", person, '{"id":5}', "id"],
  ["a wrong member of a member", person, '{"id":"a","home":{"open":"yes"}}', "home.open"],
  ["a wrong item", person, '{"id":"a","tags":["x",null]}', "tags.1"],
  ["a list for an object", person, "[]", ""],
  ["a number for an object", person, "1.0", ""],
  ["a list that is too short", listOf(text, 1), "[]", ""],
  ["only what is known", exactly({ id: text }), '{"id":"a"}', undefined],
  ["more than is known, which is not named", exactly({ id: text }), '{"id":"a","s3cret":1}', ""],
  ["any names", recordOf(flag), '{"a":true,"__proto__":false}', undefined],
  ["one wrong under any name", recordOf(flag), '{"a":true,"b":1}', "b"],
  ["an amount of any size", amount, "340282366920938463463374607431768211455", undefined],
  ["an amount as a text", amount, '"0x10"', undefined],
  ["a fraction for an amount", amount, "1.5", ""],
  ["a count", count, "0", undefined],
  ["less than nothing", count, "-1", ""],
  ["a count beyond what is exact", count, "9007199254740993", ""],
  ["an id and the rest", identified, '{"id":"x","n":1}', undefined],
  ["a deletion", deletion, '"Relayer deleted successfully"', undefined],
  ["another text for a deletion", deletion, '"OK"', ""],
])("%s", (_, shape, json, place) => {
  expect(shape(parseJson(json))).toBe(place);
});

describe("what is absent", () => {
  test("is right for what may be left out, and wrong for all else", () => {
    expect([nullish(text)(undefined), optional(text)(undefined)]).toEqual([undefined, undefined]);
    expect([text, flag, count, amount, person, deletion].map((shape) => shape(undefined))).toEqual(Array(6).fill(""));
  });
});
