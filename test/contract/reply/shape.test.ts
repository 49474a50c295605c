import { parseJson } from "../../../src/contract/json.ts";
import {
  amount,
  count,
  deletion,
  exactShape,
  flag,
  identified,
  listShape,
  nullishShape,
  objectShape,
  optionalShape,
  recordShape,
  type Shape,
  text,
} from "../../../src/contract/reply/shape.ts";

const person = objectShape({
  id: text,
  tags: nullishShape(listShape(text)),
  home: optionalShape(objectShape({ open: flag })),
});

test.each<[string, Shape, string, string | undefined]>([
  ["all specified fields", person, '{"id":"a","tags":["x"],"home":{"open":true}}', undefined],
  ["unknown fields", person, '{"id":"a","later":[1]}', undefined],
  ["null in a nullable field", person, '{"id":"a","tags":null}', undefined],
  ["null in an optional field", person, '{"id":"a","home":null}', "home"],
  ["a missing ID", person, '{"tags":[]}', "id"],
  ["a wrong field", person, '{"id":5}', "id"],
  ["a wrong nested field", person, '{"id":"a","home":{"open":"yes"}}', "home.open"],
  ["a wrong item", person, '{"id":"a","tags":["x",null]}', "tags.1"],
  ["a list in place of an object", person, "[]", ""],
  ["a number in place of an object", person, "1.0", ""],
  ["a list that is too short", listShape(text, 1), "[]", ""],
  ["only known fields", exactShape({ id: text }), '{"id":"a"}', undefined],
  ["an unknown field, which is not quoted", exactShape({ id: text }), '{"id":"a","s3cret":1}', ""],
  ["fields of any name", recordShape(flag), '{"a":true,"__proto__":false}', undefined],
  ["one wrong field of any name", recordShape(flag), '{"a":true,"b":1}', "b"],
  ["an amount of any size", amount, "340282366920938463463374607431768211455", undefined],
  ["an amount as a string", amount, '"0x10"', undefined],
  ["a fraction in place of an amount", amount, "1.5", ""],
  ["a count", count, "0", undefined],
  ["a negative count", count, "-1", ""],
  ["a count that is not exact", count, "9007199254740993", ""],
  ["an ID and other fields", identified, '{"id":"x","n":1}', undefined],
  ["a deletion", deletion, '"Relayer deleted successfully"', undefined],
  ["another string in place of a deletion", deletion, '"OK"', ""],
])("%s", (_, shape, json, place) => expect(shape(parseJson(json))).toBe(place));

test("an absent value is valid for optional shapes only", () => {
  expect([nullishShape(text)(undefined), optionalShape(text)(undefined)]).toEqual([undefined, undefined]);
  expect([text, flag, count, amount, person, deletion].map((shape) => shape(undefined))).toEqual(Array(6).fill(""));
});
