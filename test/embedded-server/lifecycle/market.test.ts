import { expect, test } from "vitest";
import { marketPrices } from "../../../src/embedded-server/lifecycle/market.ts";

const GWEI = 1_000_000_000;

function gasPrice(policies: object): unknown {
  const relayer = { id: "r1", policies: { eip1559_pricing: false, ...policies } };
  return marketPrices(relayer, { speed: "fastest" }).gas_price;
}

test("the cap of a relayer limits the price of a speed, and without a cap nothing does", () => {
  expect(gasPrice({ gas_price_cap: 5 * GWEI })).toBe(String(5 * GWEI));
  expect(gasPrice({ gas_price_cap: 500 * GWEI })).toBe(String(40 * GWEI));
  expect(gasPrice({})).toBe(String(40 * GWEI));
});
