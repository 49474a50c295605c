import { expect, test } from "vitest";
import { patchBetween } from "../../../../src/commands/relayers/edit/draft.ts";
import { parseJson } from "../../../../src/contract/json.ts";

test.each([
  ["nothing", { name: "a", policies: { cap: 1 } }, { name: "a", policies: { cap: 1 } }, {}],
  ["one field", { name: "a", paused: true }, { name: "b", paused: true }, { name: "b" }],
  ["a field of a policy", { policies: { a: 1, b: 2 } }, { policies: { a: 1, b: 3 } }, { policies: { b: 3 } }],
  [
    "a removed field as null",
    { notification_id: "n", policies: { a: 1 } },
    { policies: {} },
    { notification_id: null, policies: { a: null } },
  ],
  ["null like a removed field", { notification_id: "n" }, { notification_id: null }, { notification_id: null }],
  ["nothing if both are unset", { a: null }, { b: null }, {}],
  ["a whole new object", { policies: {} }, { policies: { s: { t: 1 } } }, { policies: { s: { t: 1 } } }],
  ["a whole object that was null", { s: null }, { s: { t: 1 } }, { s: { t: 1 } }],
  ["a removed object as one null", { s: { t: 1 } }, {}, { s: null }],
  ["a whole list", { l: ["a", "b"] }, { l: ["b"] }, { l: ["b"] }],
  ["a list in another order", { l: ["a", "b"] }, { l: ["b", "a"] }, { l: ["b", "a"] }],
  ["no amount that only differs in format", { gas_price_cap: "80" }, { gas_price_cap: 80n }, {}],
  ["a name that only looks like the same amount", { name: "05" }, { name: "5" }, { name: "5" }],
  ["false instead of unset", { flag: null }, { flag: false }, { flag: false }],
])("a patch has %s", (_, before, after, patch) => {
  expect(patchBetween(before, after)).toEqual(patch);
});

test("a patch keeps every digit, and distinguishes digits above 2^53", () => {
  const relayer = (cap: string) =>
    parseJson(`{"policies":{"gas_price_cap":${cap}}}`) as object as Record<string, never>;
  expect(patchBetween(relayer("9007199254740993"), relayer("9007199254740993"))).toEqual({});
  expect(patchBetween(relayer("9007199254740992"), relayer("9007199254740993"))).toEqual({
    policies: { gas_price_cap: 9007199254740993n },
  });
});
