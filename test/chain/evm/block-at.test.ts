import fc from "fast-check";
import { blockAt, MARGIN } from "../../../src/chain/evm/block-at.ts";
import { NOW } from "../fake-chain.ts";
import { fakeNode, fault, listOf } from "../fake-node.ts";

/** @param timeOf seconds since 1970 */
function datedChain(timeOf: (block: number) => number, unreadBelow = 0) {
  return fakeNode((_method, params) => {
    const block = Number(listOf(params)[0]);
    if (block < unreadBelow) return fault("failed", "pruned");
    return {
      number: `0x${block.toString(16)}`,
      hash: `0x${"b1".repeat(32)}`,
      timestamp: `0x${timeOf(block).toString(16)}`,
    };
  });
}

const seconds = Math.floor(NOW / 1000);

test.each([
  [12, 25_000_000],
  [2, 80_000_000],
  [1, 300_000_000],
])(
  "the block at a time is found with at most 8 reads if blocks follow each other every %i s",
  async (blockTime, height) => {
    for (const ago of [0, 60, 3_600, 86_400, 30 * 86_400, 1_000_000_000]) {
      const node = datedChain((block) => Math.max(0, seconds - (height - block) * blockTime));
      const since = NOW - ago * 1000;
      const first = height - Math.ceil((ago + (NOW % 1000) / 1000 + MARGIN / 1000) / blockTime);
      const found = await blockAt(node, since, { after: BigInt(height), now: NOW });
      expect([ago, found]).toEqual([ago, { value: BigInt(Math.max(0, first)) }]);
      expect(node.asked.length).toBeLessThanOrEqual(8);
    }
  },
);

test("the block at a time is the last one before it, however unevenly blocks follow each other", async () => {
  const gaps = fc.array(fc.oneof(fc.constantFrom(0, 1, 12), fc.nat(100_000)), { minLength: 1, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(gaps, fc.integer({ min: -100_000, max: 2_000_000 }), async (after, ago) => {
      const ages = after.map((_gap, at) => after.slice(at).reduce((sum, gap) => sum + gap, 0));
      const node = datedChain((block) => seconds - (ages[block] ?? 0));
      const since = NOW - ago * 1000;
      const older = ages.slice(0, -1);
      const expected = older.findLastIndex((age) => (seconds - age) * 1000 <= since - MARGIN);
      expect(await blockAt(node, since, { after: BigInt(after.length - 1), now: NOW })).toEqual({
        value: BigInt(Math.max(0, expected)),
      });
      expect(node.asked.length).toBeLessThanOrEqual(3 * 9 + 6);
    }),
  );
});

test("the block at a time is an earlier one once a node without older blocks has shown one, and otherwise unknown", async () => {
  const height = 1_000_000;
  const unreadBelow = height - 7_300;
  const read = async (ago: number) => {
    const node = datedChain((block) => seconds - (height - block) * 12, unreadBelow);
    return await blockAt(node, NOW - ago * 1000, { after: BigInt(height), now: NOW });
  };
  expect(await read(90_000)).toEqual(fault("failed", "pruned"));
  expect(await read(3_600)).toEqual({ value: BigInt(height - 305) });
  for (const since of [undefined, Number.NaN])
    expect(
      await blockAt(
        datedChain(() => seconds),
        since,
        { after: 9n, now: NOW },
      ),
    ).toMatchObject({ fault: {} });
});
