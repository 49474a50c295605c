import { expect, test } from "vitest";
import { symbolsIn, withSymbol } from "../../../src/coins/symbol-for.ts";

const ORIGIN = "https://relayer.example.org";
const NOW = Date.parse("2026-11-21T03:12:07Z");
const kept = (network: string, symbol: string, at = NOW) => ({ network, symbol, at });

test("returns the latest symbol of each network", () => {
  const one = withSymbol(undefined, ORIGIN, kept("polygon", "MATIC", NOW - 5));
  const two = withSymbol(one, ORIGIN, kept("gnosis", "xDAI"));
  const three = withSymbol(two, ORIGIN, kept("polygon", "POL"));
  expect(symbolsIn(three, ORIGIN, NOW)).toEqual([kept("polygon", "POL"), kept("gnosis", "xDAI")]);
});

test.each([
  ["of another service", `1\thttps://other.example\n${NOW}\tpolygon\tPOL\n`],
  ["of another version", `2\t${ORIGIN}\n${NOW}\tpolygon\tPOL\n`],
  ["a day old", `1\t${ORIGIN}\n${NOW - 86_400_000}\tpolygon\tPOL\n`],
  ["with a time in the future", `1\t${ORIGIN}\n${NOW + 1}\tpolygon\tPOL\n`],
  ["without a time", `1\t${ORIGIN}\n\tpolygon\tPOL\n\nx\tpolygon\tPOL\n`],
  ["with a unit as symbol", `1\t${ORIGIN}\n${NOW}\tpolygon\tgwei\n`],
  ["with a terminal escape", `1\t${ORIGIN}\n${NOW}\tpolygon\t\u001b[2J\n`],
  ["with an invalid network", `1\t${ORIGIN}\n${NOW}\tpoly gon\tPOL\n`],
  ["cut short", `1\t${ORIGIN}\n${NOW}\tpolygon`],
  ["of binary data", "\u0000\u0001"],
  ["that does not exist", undefined],
])("returns nothing for a file %s", (_, text) => {
  expect(symbolsIn(text, ORIGIN, NOW)).toEqual([]);
});

test("returns a symbol that is almost a day old", () => {
  const at = NOW - 86_399_999;
  expect(symbolsIn(`1\t${ORIGIN}\n${at}\tpolygon\tPOL\n`, ORIGIN, NOW)).toEqual([kept("polygon", "POL", at)]);
});

test("limits the file to 100 networks, and rejects names that would break its lines", () => {
  let text: string | undefined;
  for (let index = 0; index < 150; index++) text = withSymbol(text, ORIGIN, kept(`n${index}`, "FOO"));
  expect(symbolsIn(text, ORIGIN, NOW)).toHaveLength(100);
  expect(withSymbol(undefined, ORIGIN, kept("a\tb\nc", "FOO"))).toBe(`1\t${ORIGIN}\n`);
});
