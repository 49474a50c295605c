import { coinCacheWith, networksInCoinCache } from "../../../src/coins/coin-symbol.ts";

const ORIGIN = "https://relayer.example.org";
const NOW = Date.parse("2026-11-21T03:12:07Z");
const kept = (network: string, symbol: string, at = NOW) => ({ network, symbol, explorer: "", at });

test("returns what is known of each network last", () => {
  const one = coinCacheWith(undefined, ORIGIN, kept("polygon", "MATIC", NOW - 5));
  const two = coinCacheWith(one, ORIGIN, kept("gnosis", "xDAI"));
  const three = coinCacheWith(two, ORIGIN, kept("polygon", "POL"));
  expect(networksInCoinCache(three, ORIGIN, NOW)).toEqual([kept("polygon", "POL"), kept("gnosis", "xDAI")]);
});

test.each([
  ["of another service", `2\thttps://other.example\n${NOW}\tpolygon\tPOL\t\n`],
  ["of another version", `1\t${ORIGIN}\n${NOW}\tpolygon\tPOL\t\n`],
  ["a day old", `2\t${ORIGIN}\n${NOW - 86_400_000}\tpolygon\tPOL\t\n`],
  ["with a time in the future", `2\t${ORIGIN}\n${NOW + 1}\tpolygon\tPOL\t\n`],
  ["without a time", `2\t${ORIGIN}\n\tpolygon\tPOL\t\n\nx\tpolygon\tPOL\t\n`],
  ["with a unit as symbol", `2\t${ORIGIN}\n${NOW}\tpolygon\tgwei\t\n`],
  ["with a terminal escape", `2\t${ORIGIN}\n${NOW}\tpolygon\t\u001b[2J\t\n`],
  ["with an invalid network", `2\t${ORIGIN}\n${NOW}\tpoly gon\tPOL\t\n`],
  ["cut short", `2\t${ORIGIN}\n${NOW}\tpolygon`],
  ["cut short in the explorer", `2\t${ORIGIN}\n${NOW}\tpolygon\tPOL\thttps://exp`],
  ["of binary data", "\u0000\u0001"],
  ["that does not exist", undefined],
])("returns nothing for a file %s", (_, text) => expect(networksInCoinCache(text, ORIGIN, NOW)).toEqual([]));

test("returns a symbol that is almost a day old", () => {
  const at = NOW - 86_399_999;
  expect(networksInCoinCache(`2\t${ORIGIN}\n${at}\tpolygon\tPOL\t\n`, ORIGIN, NOW)).toEqual([
    kept("polygon", "POL", at),
  ]);
});

test("limits the file to 100 networks, and rejects names that would break its lines", () => {
  let text: string | undefined;
  for (let index = 0; index < 150; index++) text = coinCacheWith(text, ORIGIN, kept(`n${index}`, "FOO"));
  expect(networksInCoinCache(text, ORIGIN, NOW)).toHaveLength(100);
  expect(coinCacheWith(undefined, ORIGIN, kept("a\tb\nc", "FOO"))).toBe(`2\t${ORIGIN}\n`);
});
