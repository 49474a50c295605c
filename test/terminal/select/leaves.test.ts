import { expect, test } from "vitest";
import { leafPaths, leafPathsOfAll } from "../../../src/terminal/select/leaves.ts";
import { relayer } from "../sample-relayers.ts";

test("names every leaf by its dotted path, in the order of the wire", () => {
  expect(leafPaths(relayer('{"b":1,"7":{"x":[1],"y":{}},"a":null}'))).toEqual(["b", "7.x", "7.y", "a"]);
});

test("several items give each path once", () => {
  expect(leafPathsOfAll([{ a: 1 }, { b: 2, a: 3 }])).toEqual(["a", "b"]);
});
