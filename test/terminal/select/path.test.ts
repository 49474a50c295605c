import { flatPathValue, leafPaths, leafPathsOfAll, valueAtPath } from "../../../src/terminal/select/path.ts";
import { MAX_U128, relayer } from "../sample-relayers.ts";

const item = relayer(
  `{"id":"r1","paused":false,"none":null,"policies":{"cap":${MAX_U128},"ratio":1.0,"list":["a",${MAX_U128}],"inner":{"b":1}}}`,
);

test.each([
  ["id", "r1"],
  ["paused", "false"],
  ["none", ""],
  ["none.deeper", ""],
  ["absent", ""],
  ["id.length", ""],
  ["policies.cap", MAX_U128],
  ["policies.ratio", "1.0"],
  ["policies.list", `["a",${MAX_U128}]`],
  ["policies.list.0", ""],
  ["policies.inner", '{"b":1}'],
  ["policies.inner.b", "1"],
  ["constructor", ""],
  ["policies.toString", ""],
])("%s is %j", (path, text) => expect(flatPathValue(item, path)).toBe(text));

test("an absent member differs from null", () => {
  expect([valueAtPath(item, "none"), valueAtPath(item, "absent")]).toEqual([null, undefined]);
  expect(valueAtPath({ id: "an object with a prototype" }, "toString")).toBeUndefined();
});

test("lists every leaf by its dotted path, in the order of the response", () =>
  expect(leafPaths(relayer('{"b":1,"7":{"x":[1],"y":{}},"a":null}'))).toEqual(["b", "7.x", "7.y", "a"]));

test("lists each path of several items once", () =>
  expect(leafPathsOfAll([{ a: 1 }, { b: 2, a: 3 }])).toEqual(["a", "b"]));
