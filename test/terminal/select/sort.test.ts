import { expect, test } from "vitest";
import { byId, parseSort } from "../../../src/terminal/select/condition.ts";
import { MAX_U128, relayer, relayerView } from "../sample-relayers.ts";

const withCap = (id: string, cap?: string) =>
  relayer(`{"id":"${id}"${cap === undefined ? "" : `,"policies":{"gas_price_cap":${cap}}`}}`);
const ids = (items: readonly { [key: string]: unknown }[]) => items.map((item) => item.id);

const fleet = [
  withCap("none"),
  withCap("max", MAX_U128),
  withCap("null", "null"),
  withCap("two53plus1", "9007199254740993"),
  withCap("two53", '"9007199254740992"'),
  withCap("small-b", "7"),
  withCap("small-a", "7"),
  withCap("word", '"many"'),
];

test("sorts integers exactly, then words, then absent values, and keeps the order of equal values", () => {
  const sorted = parseSort("policies.gas_price_cap", relayerView)(fleet);
  expect(ids(sorted)).toEqual(["small-b", "small-a", "two53", "two53plus1", "max", "word", "none", "null"]);
});

test("a minus reverses the order, and absent values still come last", () => {
  const sorted = parseSort("-policies.gas_price_cap", relayerView)(fleet);
  expect(ids(sorted)).toEqual(["word", "max", "two53plus1", "two53", "small-b", "small-a", "none", "null"]);
});

test("sorts IDs by code unit in every locale", () => {
  expect(ids(byId(["b", "a", "B", "ä", "a-10", "a-9"].map((id) => ({ id }))))).toEqual([
    "B",
    "a",
    "a-10",
    "a-9",
    "b",
    "ä",
  ]);
});

test("rejects an unknown field, and suggests the closest ones", () => {
  expect(() => parseSort("-nam", relayerView)).toThrow("--sort nam: unknown field of a relayer; closest: name, ");
});
