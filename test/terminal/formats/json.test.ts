import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "../../../src/contract/json.ts";
import { jsonList, jsonText } from "../../../src/terminal/formats/json.ts";
import { MAX_U128, relayer } from "../sample-relayers.ts";

test("keeps order, unknown members, nulls, and every digit", () => {
  expect(jsonText(relayer(`{"z":null,"7":1.0,"a":{"cap":${MAX_U128}},"e":1e21}`))).toBe(`\
{
  "z": null,
  "7": 1.0,
  "a": {
    "cap": ${MAX_U128}
  },
  "e": 1e21
}
`);
});

test("writes an empty list as []", () => {
  expect([...jsonList([])].join("")).toBe("[]\n");
});

test("writes a list in pieces that add up to the document of the whole list", () => {
  const lists = fc
    .array(fc.jsonValue(), { maxLength: 20 })
    .map((items) => JSON.stringify(items.length > 10 ? Array(101).fill(items).flat() : items));
  fc.assert(
    fc.property(lists, (json) => {
      const items = parseJson(json);
      if (!Array.isArray(items)) throw new Error("a list was generated");
      expect([...jsonList(items)].join("")).toBe(jsonText(items));
    }),
  );
});
