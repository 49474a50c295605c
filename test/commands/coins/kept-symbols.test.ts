import { expect, test } from "vitest";
import { symbolsIn, withSymbol } from "../../../src/commands/coins/kept-symbols.ts";

const ORIGIN = "https://relayer.example.org";
const NOW = Date.parse("2026-11-21T03:12:07Z");
const kept = (network: string, symbol: string, at = NOW) => ({ network, symbol, at });

test("what was kept is there again, the newest of each network", () => {
  const one = withSymbol(undefined, ORIGIN, kept("polygon", "MATIC", NOW - 5));
  const two = withSymbol(one, ORIGIN, kept("gnosis", "xDAI"));
  const three = withSymbol(two, ORIGIN, kept("polygon", "POL"));
  expect(symbolsIn(three, ORIGIN, NOW)).toEqual([kept("polygon", "POL"), kept("gnosis", "xDAI")]);
});

test.each([
  ["of another service", `1\thttps://other.example\n${NOW}\tpolygon\tPOL\n`],
  ["of another version", `2\t${ORIGIN}\n${NOW}\tpolygon\tPOL\n`],
  ["a day old", `1\t${ORIGIN}\n${NOW - 86_400_000}\tpolygon\tPOL\n`],
  ["of tomorrow", `1\t${ORIGIN}\n${NOW + 1}\tpolygon\tPOL\n`],
  ["without a time", `1\t${ORIGIN}\n\tpolygon\tPOL\n\nx\tpolygon\tPOL\n`],
  ["that is a unit", `1\t${ORIGIN}\n${NOW}\tpolygon\tgwei\n`],
  ["that acts on a terminal", `1\t${ORIGIN}\n${NOW}\tpolygon\t\u001b[2J\n`],
  ["of a network that is no word", `1\t${ORIGIN}\n${NOW}\tpoly gon\tPOL\n`],
  ["cut short", `1\t${ORIGIN}\n${NOW}\tpolygon`],
  ["of bytes", "\u0000\u0001"],
  ["of nothing", undefined],
])("a file %s gives none", (_, text) => {
  expect(symbolsIn(text, ORIGIN, NOW)).toEqual([]);
});

test("the file stays small, and takes no network whose name could break its lines", () => {
  let text: string | undefined;
  for (let index = 0; index < 150; index++) text = withSymbol(text, ORIGIN, kept(`n${index}`, "FOO"));
  expect(symbolsIn(text, ORIGIN, NOW)).toHaveLength(100);
  expect(withSymbol(undefined, ORIGIN, kept("a\tb\nc", "FOO"))).toBe(`1\t${ORIGIN}\n`);
});
