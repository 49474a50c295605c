import { expect, test } from "vitest";
import { byId, parseSort } from "../../../src/terminal/select/sort.ts";
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

test("integers are ordered exactly, then words, then what is absent; equal ones stay in their order", () => {
  const sorted = parseSort("policies.gas_price_cap", relayerView)(fleet);
  expect(ids(sorted)).toEqual(["small-b", "small-a", "two53", "two53plus1", "max", "word", "none", "null"]);
});

test("a minus turns the order round, and what is absent still comes last", () => {
  const sorted = parseSort("-policies.gas_price_cap", relayerView)(fleet);
  expect(ids(sorted)).toEqual(["word", "max", "two53plus1", "two53", "small-b", "small-a", "none", "null"]);
});

test("ids are ordered by their code units, whatever the locale", () => {
  expect(ids(byId(["b", "a", "B", "ä", "a-10", "a-9"].map((id) => ({ id }))))).toEqual([
    "B",
    "a",
    "a-10",
    "a-9",
    "b",
    "ä",
  ]);
});

test("an unknown field is refused with the known ones", () => {
  expect(() => parseSort("-nam", relayerView)).toThrow(
    "--sort nam: unknown field of a relayer (did you mean name?); known: id, name,",
  );
});
