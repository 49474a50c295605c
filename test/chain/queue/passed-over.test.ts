import type { FeeHistory } from "../../../src/chain/evm/fee-history.ts";
import type { NodeParams } from "../../../src/chain/node/node.ts";
import { readPassedOver, recentQueueTips } from "../../../src/chain/queue/read-queue.ts";
import { chainNode, NOW } from "../fake-chain.ts";
import { ago, at, queue } from "./queues.ts";

const GWEI = 10n ** 9n;

/** Blocks with their base fee, the share of their gas that was used, and the least tip that they took. */
function historyOf(blocks: readonly [baseFee: bigint, used: number | undefined, took: bigint][]): FeeHistory {
  const tips = blocks.map(([, , took]) => took);
  return {
    baseFee: 10n * GWEI,
    nextBaseFee: 10n * GWEI,
    tips: { safeLow: tips, average: tips, fast: tips, fastest: tips },
    oldest: 97n,
    blocks: blocks.map(([baseFee, used]) => ({ baseFee, used })),
  };
}

const feesWith = (tip: bigint, most = 12n * GWEI) => ({ max_fee_per_gas: most, max_priority_fee_per_gas: tip });
const TAKING: [bigint, number, bigint] = [10n * GWEI, 0.5, GWEI];
const FULL: [bigint, number, bigint] = [10n * GWEI, 1, GWEI];
const EMPTY: [bigint, number, bigint] = [10n * GWEI, 0, 0n];

describe("a tip is the cause", () => {
  test("if all of the last blocks had room and took only higher tips", () => {
    const found = recentQueueTips(historyOf([TAKING, TAKING, [10n * GWEI, 0.5, 2n * GWEI], TAKING]), feesWith(1n));
    expect(found).toEqual({ blocks: 4, offered: 1n, took: GWEI });
  });

  test("if one block was full, or empty", () => {
    expect(recentQueueTips(historyOf([TAKING, FULL, TAKING, TAKING]), feesWith(1n))).toMatchObject({ blocks: 3 });
    expect(recentQueueTips(historyOf([TAKING, EMPTY, EMPTY, EMPTY]), feesWith(1n))).toMatchObject({
      blocks: 4,
      took: GWEI,
    });
  });

  test("if the maximum fee leaves less of it", () => {
    const most = 10n * GWEI + 5n;
    expect(recentQueueTips(historyOf([TAKING, TAKING, TAKING]), feesWith(2n * GWEI, most))).toMatchObject({
      took: GWEI,
    });
  });
});

describe("a tip is not the cause", () => {
  test.each<[string, FeeHistory, bigint]>([
    ["if a block took one as low", historyOf([TAKING, TAKING, TAKING, [10n * GWEI, 0.5, 5n]]), 5n],
    ["if it is what blocks took", historyOf([TAKING, TAKING, TAKING, TAKING]), GWEI],
    ["if fewer than three blocks had room", historyOf([TAKING, TAKING, FULL, FULL]), 1n],
    ["if a block took a transaction without one", historyOf([TAKING, TAKING, TAKING, [10n * GWEI, 0.5, 0n]]), 1n],
    ["if the node does not show how full blocks were", historyOf(Array(4).fill([10n * GWEI, undefined, GWEI])), 1n],
    ["if the base fee was above the fee", historyOf([TAKING, TAKING, TAKING, [13n * GWEI, 0.5, GWEI]]), 1n],
  ])("%s", (_, history, tip) => expect(recentQueueTips(history, feesWith(tip))).toBe(undefined));

  test("of a legacy transaction, whose tip is not known", () =>
    expect(recentQueueTips(historyOf([TAKING, TAKING, TAKING]), { gas_price: 11n * GWEI })).toBe(undefined));
});

describe("blocks passed over a transaction only if all of them came after it was sent", () => {
  // The newest of 100 blocks is 3 s old; one comes every 12 s.
  test.each([
    [60, { blocks: 4, offered: 1n, took: GWEI }],
    [30, undefined],
  ])("sent %d s ago", async (seconds, expected) => {
    const record = at(4, { max_priority_fee_per_gas: "1", sent_at: ago(seconds), created_at: ago(seconds) });
    const { records, chain, now } = queue([record]);
    const node = chainNode({ height: 100, transactions: [] });
    const history = historyOf([TAKING, TAKING, TAKING, TAKING]);
    if (!chain) throw new Error("a queue has a chain");
    expect(await readPassedOver(node, { records, chain, now }, history)).toEqual(expected);
    expect(node.asked).toHaveLength(1);
    expect(NOW).toBe(now);
  });

  test.each([
    ["0x3b9aca00", { blocks: 4, offered: 1n, took: GWEI, isSuggested: true }],
    ["0x1", undefined],
    [null, undefined],
  ])("and empty ones only below what the node suggests: %s", async (suggested, expected) => {
    const record = at(4, { max_priority_fee_per_gas: "1", sent_at: ago(60), created_at: ago(60) });
    const { records, chain, now } = queue([record]);
    const blocks = chainNode({ height: 100, transactions: [] });
    const node = {
      ...blocks,
      ask: (method: string, params: NodeParams) =>
        method === "eth_maxPriorityFeePerGas" ? Promise.resolve({ value: suggested }) : blocks.ask(method, params),
    };
    if (!chain) throw new Error("a queue has a chain");
    const history = historyOf([EMPTY, EMPTY, EMPTY, EMPTY]);
    expect(await readPassedOver(node, { records, chain, now }, history)).toEqual(expected);
  });

  test("and the node is not asked for a tip that blocks take", async () => {
    const { records, chain, now } = queue([at(4, { max_priority_fee_per_gas: String(GWEI) })]);
    const node = chainNode({ height: 100, transactions: [] });
    if (!chain) throw new Error("a queue has a chain");
    expect(await readPassedOver(node, { records, chain, now }, historyOf([TAKING, TAKING, TAKING]))).toBe(undefined);
    expect(node.asked).toEqual([]);
  });
});
