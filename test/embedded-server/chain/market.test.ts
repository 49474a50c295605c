import { policyCap } from "../../../src/contract/policy.ts";
import { marketPrices, marketTipAt, marketWait, steadyMarket } from "../../../src/embedded-server/chain/market.ts";
import { workerCappedPrices } from "../../../src/embedded-server/worker/price.ts";

const GWEI = 1_000_000_000;
const MARKET = steadyMarket({ id: "evm:local" });
const network = (average_blocktime_ms: number) => ({ id: "evm:local", average_blocktime_ms });

function gasPrice(policies: object): unknown {
  const relayer = { id: "r1", policies: { eip1559_pricing: false, ...policies } };
  const prices = marketPrices({ market: MARKET, network: network(1000), relayer, speed: "fastest" });
  return workerCappedPrices(prices, policyCap(relayer)).gas_price;
}

test("the cap of a relayer limits the price of a speed, and without a cap nothing does", () => {
  expect(gasPrice({ gas_price_cap: 5 * GWEI })).toBe(BigInt(5 * GWEI));
  expect(gasPrice({ gas_price_cap: 500 * GWEI })).toBe(BigInt(40 * GWEI));
  expect(gasPrice({})).toBe(BigInt(40 * GWEI));
});

test.each([
  [1000, 10_500_000_000n],
  [2000, 10_500_000_000n],
  [12_000, 2_780_697_345n],
  [120_000, 1_500_000_000n],
])("with a block every %d ms, the maximum fee leaves the base fee room to rise for 90 s", (blockTime, fee) => {
  const question = { market: MARKET, network: network(blockTime), relayer: { id: "r1" }, speed: "average" };
  expect(marketPrices(question)).toEqual({
    max_fee_per_gas: fee,
    max_priority_fee_per_gas: 500_000_000n,
  });
});

test("the tip of a speed is the tip at its percentile, and decides how long a block takes", () =>
  expect([30, 50, 85, 99].map((percentile) => marketWait(MARKET, marketTipAt(MARKET, percentile)))).toEqual([
    120_000, 60_000, 30_000, 10_000,
  ]));
