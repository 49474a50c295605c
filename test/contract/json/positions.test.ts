import { positionsIn } from "../../../src/contract/json.ts";

test("returns the position of every field and entry by its dotted path", () => {
  const text = '\n {\n  "a": {"b\\u0063": [true, null, -1.5e3]},\n  "d": [{"e": "x"}], "f": {}, "g": []\n}';
  expect([...positionsIn(text)]).toEqual([
    ["", { line: 2, column: 2 }],
    ["a", { line: 3, column: 3 }],
    ["a.bc", { line: 3, column: 9 }],
    ["a.bc.0", { line: 3, column: 21 }],
    ["a.bc.1", { line: 3, column: 27 }],
    ["a.bc.2", { line: 3, column: 33 }],
    ["d", { line: 4, column: 3 }],
    ["d.0", { line: 4, column: 9 }],
    ["d.0.e", { line: 4, column: 10 }],
    ["f", { line: 4, column: 22 }],
    ["g", { line: 4, column: 31 }],
  ]);
});

test.each(["[]", "{}", "5", '"a"', "true"])("%s has only its own position", (text) => {
  expect([...positionsIn(text).keys()]).toEqual([""]);
});
