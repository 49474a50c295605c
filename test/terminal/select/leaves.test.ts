import { expect, test } from "vitest";
import { leafPaths, leafPathsOfAll } from "../../../src/terminal/select/path.ts";
import { relayer } from "../sample-relayers.ts";

test("lists every leaf by its dotted path, in the order of the response", () => {
  expect(leafPaths(relayer('{"b":1,"7":{"x":[1],"y":{}},"a":null}'))).toEqual(["b", "7.x", "7.y", "a"]);
});

test("lists each path of several items once", () => {
  expect(leafPathsOfAll([{ a: 1 }, { b: 2, a: 3 }])).toEqual(["a", "b"]);
});
