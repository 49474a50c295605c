import fc from "fast-check";
import { readFeeHistory } from "../../../src/chain/evm/fee-history.ts";
import { marketMaxFee, marketPrice } from "../../../src/chain/evm/market-price.ts";
import type { JsonValue } from "../../../src/contract/json.ts";
import { fakeNode } from "../fake-node.ts";

const hex = (amount: bigint) => `0x${amount.toString(16)}`;
const GWEI = 10n ** 9n;

/** Four blocks; each row has the tips of the four percentiles. */
const historyOf = (baseFees: readonly bigint[], rows: readonly (readonly bigint[])[]) => ({
  oldestBlock: "0x1",
  baseFeePerGas: baseFees.map(hex),
  reward: rows.map((row) => row.map(hex)),
});
const FEES = [9n, 9n, 9n, 10n, 11n].map((fee) => fee * GWEI);
const ROW = [300_000_000n, 500_000_000n, 850_000_000n, 990_000_000n];

async function read(result: JsonValue) {
  const found = await readFeeHistory(fakeNode(() => result));
  if ("fault" in found) throw new Error(found.fault.words);
  return found.value;
}

test("uses the same request as the service", async () => {
  const node = fakeNode(() => historyOf(FEES, [ROW, ROW, ROW, ROW]));
  await readFeeHistory(node);
  expect(node.asked).toEqual([{ method: "eth_feeHistory", params: ["0x4", "latest", [30, 50, 85, 99]] }]);
});

test("is the newest block's base fee, raised for 90 seconds, plus the percentile of the speed", async () => {
  const history = await read(historyOf(FEES, [ROW, ROW, ROW, ROW]));
  expect([history.baseFee, history.nextBaseFee]).toEqual([10n * GWEI, 11n * GWEI]);
  // 1.125 to the power of 7 is 2.280697345 when cut to nine decimals.
  expect(marketPrice(history, "fast", 12_000)).toEqual({ maxFee: 23_656_973_450n, tip: 850_000_000n });
});

test("has the mean tip of the blocks that paid one, or a share of 1 gwei if none did", async () => {
  const rows = [
    [0n, 0n, 0n, 0n],
    [0n, 0n, 0n, 2n],
    [0n, 0n, 0n, 4n],
    [0n, 0n, 0n, 0n],
  ];
  const history = await read(historyOf(FEES, rows));
  expect(marketPrice(history, "fastest", 12_000).tip).toBe(3n);
  expect(marketPrice(history, "safeLow", 12_000).tip).toBe(300_000_000n);
});

test("raises the base fee at most tenfold, even with very short blocks", () => {
  expect(marketMaxFee(GWEI, 0n, 250)).toBe(10n * GWEI);
  expect(marketMaxFee(GWEI, 0n, 0)).toBe(10n * GWEI);
  expect(marketMaxFee(GWEI, 5n, 100_000)).toBe(GWEI + 5n);
});

test("raises the base fee exactly for every amount", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n }), (base) => {
      expect(marketMaxFee(base, 0n, 45_000)).toBe((base * 1_265_625_000n) / 1_000_000_000n);
    }),
  );
});

test.each<[string, JsonValue]>([
  ["no rewards", { baseFeePerGas: FEES.map(hex) }],
  ["rows of different lengths", historyOf(FEES, [ROW, ROW, ROW, ROW.slice(1)])],
  ["too few base fees", historyOf(FEES.slice(1), [ROW, ROW, ROW, ROW])],
  ["no blocks", historyOf([1n], [])],
  ["null", null],
])("rejects a fee history with %s", async (_, result) => {
  expect(await readFeeHistory(fakeNode(() => result))).toMatchObject({ fault: { kind: "unreadable" } });
});
