import { policyCap } from "../../../src/contract/policy.ts";
import {
  marketHistory,
  marketPrices,
  marketTipAt,
  marketWait,
  steadyMarket,
  workerCappedPrices,
} from "../../../src/embedded-server/chain/market.ts";
import { addToPool, mineBlocks, nextForMining } from "../../../src/embedded-server/chain/mining.ts";
import { emptySimChain, type SimChain, type SimTransaction } from "../../../src/embedded-server/chain/sim-chain.ts";

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

const RULES = { blockTime: 1000, market: marketHistory(steadyMarket({ id: "evm:local" })) };
const AT = Date.UTC(2026, 0, 1);
const RICH = 10n ** 18n;

function transaction(fields: Partial<SimTransaction> = {}): SimTransaction {
  const prices = { fee: 10_000_000_000n, tip: 1_000_000_000n, isLegacy: false };
  const call = { from: "0xa", nonce: 0, to: "0xb", value: 1n, data: "0x", gas: 21_000n };
  return { hash: "0x1", ...call, ...prices, at: AT, isChosen: false, ...fields };
}

function sent(...all: SimTransaction[]) {
  return all.reduce<{ chain: SimChain; refusal?: string }>(({ chain }, each) => addToPool(chain, RULES, each, RICH), {
    chain: emptySimChain(),
  });
}

const hashes = (all: readonly SimTransaction[]) => all.map(({ hash }) => hash);

describe("a node", () => {
  test("replaces a waiting transaction with one that pays a tenth more in both members", () => {
    const dearer = transaction({ hash: "0x2", fee: 11_000_000_000n, tip: 1_100_000_000n });
    const { chain, refusal } = sent(transaction(), dearer);
    expect([refusal, hashes(chain.waiting), hashes(chain.dropped)]).toEqual([undefined, ["0x2"], ["0x1"]]);
  });

  test.each([
    ["replacement transaction underpriced", { fee: 10_999_999_999n, tip: 1_100_000_000n }],
    ["replacement transaction underpriced", { fee: 11_000_000_000n, tip: 1_099_999_999n }],
    ["fee below the base fee", { fee: 999_999_999n }],
    ["insufficient funds", { nonce: 1, value: RICH }],
  ])("refuses with %s: %o", (refusal, fields) => {
    const refused = sent(transaction(), transaction({ hash: "0x2", ...fields }));
    expect([refused.refusal, hashes(refused.chain.waiting)]).toEqual([refusal, ["0x1"]]);
  });

  test("refuses a nonce that was used", () => {
    const { chain } = sent(transaction());
    const mined = mineBlocks(chain, transaction(), 1);
    expect(addToPool(mined, RULES, transaction({ hash: "0x2" }), RICH).refusal).toBe("nonce too low");
  });

  test("keeps both while the block is being built that contains the first", () => {
    const late = { at: AT + 14_600, hash: "0x2", fee: 11_000_000_000n, tip: 1_100_000_000n };
    const { chain } = sent(transaction(), transaction(late));
    expect(hashes(chain.waiting)).toEqual(["0x1", "0x2"]);
    const next = nextForMining(chain, RULES);
    expect(next?.transaction.hash).toBe("0x1");
    const after = mineBlocks(chain, next?.transaction ?? transaction(), next?.block ?? 0);
    expect([hashes(after.mined), hashes(after.waiting), hashes(after.dropped)]).toEqual([["0x1"], [], ["0x2"]]);
  });
});

test("a transaction waits for the lower nonces of its sender", () => {
  const { chain } = sent(transaction({ nonce: 1 }));
  expect(nextForMining(chain, RULES)).toBe(undefined);
  expect(nextForMining(addToPool(chain, RULES, transaction(), RICH).chain, RULES)?.transaction.nonce).toBe(0);
});

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
