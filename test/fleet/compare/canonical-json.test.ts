import { parseJson } from "../../../src/contract/json.ts";
import { canonicalJson } from "../../../src/fleet/compare/canonical-json.ts";

test.each([
  ["1000", "1000"],
  ["1000.0", "1000"],
  ["1e3", "1000"],
  ["0.10", "1e-1"],
  ["0", "0"],
])("the number %s is written as %s", (json, text) => expect(canonicalJson(parseJson(json))).toBe(text));
