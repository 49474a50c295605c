import { marketHistory, steadyMarket } from "../../../src/embedded-server/chain/market.ts";

const MARKET = steadyMarket({ id: "evm:local" });
const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

test("prices are steady without a time at which they begin to change", () => {
  const { at, whenAtMost } = marketHistory(MARKET);
  expect(at(START + 100 * MINUTE)).toEqual(MARKET);
  expect([whenAtMost(MARKET.baseFee, START), whenAtMost(MARKET.baseFee - 1n, START)]).toEqual([START, undefined]);
});

test("prices rise by a tenth each minute for ten minutes, and fall back as slowly", () => {
  const { at } = marketHistory(MARKET, START);
  const fees = [-1, 0, 1, 2, 10, 11, 19, 20, 21].map((minutes) => at(START + minutes * MINUTE).baseFee);
  const [steady, once, twice, most, less] = [
    1_000_000_000n,
    1_100_000_000n,
    1_210_000_000n,
    2_593_742_460n,
    2_357_947_691n,
  ];
  expect(fees).toEqual([steady, steady, once, twice, most, less, once, steady, once]);
  expect(at(START + MINUTE)).toMatchObject({ tips: { fast: 935_000_000n }, gasPrice: 22_000_000_000n });
});

test("a fee is enough again once the base fee has fallen to it", () => {
  const { whenAtMost } = marketHistory(MARKET, START);
  const enough = 1_100_000_000n;
  expect(whenAtMost(enough, START + MINUTE + 1)).toBe(START + MINUTE + 1);
  expect(whenAtMost(enough, START + 2 * MINUTE + 1)).toBe(START + 19 * MINUTE);
  expect(whenAtMost(MARKET.baseFee - 1n, START)).toBe(undefined);
});
