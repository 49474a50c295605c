import { leastReplacementPrice } from "../../../src/contract/transaction/replacement-price.ts";

test("the price of a replacement is a tenth higher, rounded down, and at least 1 wei higher", () => {
  const prices = [0n, 1n, 9n, 10n, 19n, 10_500_000_000n];
  expect(prices.map(leastReplacementPrice)).toEqual([1n, 2n, 10n, 11n, 20n, 11_550_000_000n]);
});
