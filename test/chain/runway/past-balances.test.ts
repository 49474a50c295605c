import { readPastBalances } from "../../../src/chain/runway/past-balances.ts";
import type { JsonValue } from "../../../src/contract/json.ts";
import { fakeNode, fault } from "../fake-node.ts";

const NOW = Date.parse("2026-11-21T03:12:07Z");
const ADDRESS = `0x${"70".repeat(20)}`;
const HEIGHT = 20_000;
const BLOCK_TIME = 12_000;
const account = { address: ADDRESS, blockTime: BLOCK_TIME, now: NOW };
const timeOf = (block: number) => NOW - (HEIGHT - block) * BLOCK_TIME;

/** A node with a block every 12 seconds, which has the state of so many blocks. */
function node(depth: number, height = HEIGHT) {
  return fakeNode((method, [first, second]) => {
    const tag = method === "eth_getBalance" ? second : first;
    const number = tag === "latest" ? height : Number(tag);
    if (method === "eth_getBalance")
      return height - number > depth ? fault("failed", "missing trie node") : `0x${(1_000_000 - number).toString(16)}`;
    const seconds = Math.floor(timeOf(number + HEIGHT - height) / 1000);
    return { number: `0x${number.toString(16)}`, timestamp: `0x${seconds.toString(16)}` } as JsonValue;
  });
}

test("reads the balances of a day and half a day before", async () => {
  const asked = node(1e6);
  expect(await readPastBalances(asked, account)).toEqual([
    { time: timeOf(HEIGHT - 7_200), balance: 1_000_000n - 12_800n },
    { time: timeOf(HEIGHT - 3_600), balance: 1_000_000n - 16_400n },
  ]);
  expect(asked.asked).toHaveLength(4);
});

test("reads a balance of some minutes before from a pruned node", async () => {
  const asked = node(128);
  expect(await readPastBalances(asked, account)).toEqual([
    { time: timeOf(HEIGHT - 120), balance: 1_000_000n - 19_880n },
  ]);
  expect(asked.asked.length).toBeLessThanOrEqual(6);
});

test("starts at the first block of a young chain", async () => {
  const [first] = await readPastBalances(node(1e6, 100), account);
  expect(first).toEqual({ time: NOW - 100 * BLOCK_TIME, balance: 1_000_000n });
});

test("returns nothing if the node has no state, does not respond, or lies", async () => {
  expect(await readPastBalances(node(0), account)).toEqual([]);
  expect(
    await readPastBalances(
      fakeNode(() => fault("unreachable")),
      account,
    ),
  ).toEqual([]);
  expect(
    await readPastBalances(
      fakeNode(() => "0x1"),
      account,
    ),
  ).toEqual([]);
});
