import { readSpendSince, type Spend } from "../../src/audit/spend-since.ts";
import { UNKNOWN } from "../../src/chain/network.ts";
import type { ChainNode, NodeFault, Reading } from "../../src/chain/node/node.ts";
import type { JsonValue } from "../../src/contract/json.ts";
import { chainNode, type FakeChain, type Mined, NOW } from "../chain/fake-chain.ts";
import { fault } from "../chain/fake-node.ts";

const OWN = `0x${"70".repeat(20)}`;
const OTHER = `0x${"90".repeat(20)}`;
const HOUR = 3_600_000;
const HEIGHT = 1_000_000;
const BLOCK_TIME = 12;

/** A chain on which an account sent so many transactions, a few blocks apart, some of them two in a block. */
function busyChain(count: number, change: Partial<FakeChain> = {}): FakeChain {
  const transactions = Array.from({ length: count }, (_, nonce): Mined => {
    const back = count - 1 - nonce;
    return {
      hash: `0x${(nonce + 1).toString(16).padStart(64, "0")}`,
      from: OWN,
      to: nonce % 11 === 0 ? OWN : OTHER,
      nonce,
      block: HEIGHT - Math.floor(back / 2) * 3,
      value: 10n ** 18n + BigInt(nonce),
      paid: 10n ** 9n + BigInt(nonce * 7),
      reverted: nonce % 13 === 0,
    };
  });
  return { height: HEIGHT, blockTime: BLOCK_TIME, age: 0, transactions, blockReceipts: true, ...change };
}

function sumsOf({ transactions }: FakeChain, since: number): Spend {
  const spend: Spend = { value: 0n, fee: 0n, sent: 0, reverted: 0 };
  for (const { block = 0, value = 0n, paid = 0n, reverted, to } of transactions) {
    const time = Math.floor(NOW / 1000) - (HEIGHT - block) * BLOCK_TIME;
    if (time * 1000 <= since) continue;
    spend.sent++;
    spend.fee += 21_000n * paid;
    if (reverted) spend.reverted++;
    else if (to !== OWN) spend.value += value;
  }
  return spend;
}

test.each<[number, string, boolean, Partial<FakeChain>?]>([
  [1, "with the receipts of whole blocks", true],
  [1, "with single receipts", false],
  [24, "with the receipts of whole blocks", true],
  [24, "from the index of a node without old state", true, { state: 128, indexed: true }],
])("agrees to the wei with the chain for %i hours %s", async (hours, _, blockReceipts, change = {}) => {
  const chain = busyChain(400, { blockReceipts, ...change });
  const since = NOW - hours * HOUR;
  const found = await readSpendSince(chainNode(chain), OWN, { network: UNKNOWN, since, now: NOW });
  expect(found).toEqual({ value: sumsOf(chain, since) });
});

test("takes at most 2.2 requests for each nonce of a busy account", async () => {
  const node = chainNode(busyChain(1_000));
  const found = await readSpendSince(node, OWN, { network: UNKNOWN, since: NOW - 24 * HOUR, now: NOW, calls: 5_000 });
  expect(found).toMatchObject({ value: { sent: 1_000 } });
  expect(node.asked.length / 1_000).toBeLessThanOrEqual(2.2);
});

test("includes the first second after the time and excludes the time itself", async () => {
  const chain = busyChain(2);
  const at = (back: number) => ({
    ...chain,
    transactions: chain.transactions.map((t) => ({ ...t, block: HEIGHT - back })),
  });
  for (const [back, sent] of [
    [299, 2],
    [300, 0],
    [301, 0],
  ] as const)
    expect(
      await readSpendSince(chainNode(at(back)), OWN, { network: UNKNOWN, since: NOW - HOUR, now: NOW }),
    ).toMatchObject({
      value: { sent },
    });
});

test.each<[string, boolean, Partial<FakeChain>]>([
  ["is not known if the newest block is old", false, { chainId: 1 }],
  ["is nothing if the clock of a development node went on", true, { chainId: 31_337 }],
  ["is not known if that clock is behind this one", false, { chainId: 31_337, behind: 7_200 }],
])("%s", async (_, isKnown, change) => {
  const network = { ...UNKNOWN, chainId: BigInt(change.chainId ?? 1) };
  const node = chainNode(busyChain(4, { age: 7_200, ...change }));
  const found = await readSpendSince(node, OWN, { network, since: NOW - HOUR, now: NOW });
  expect(found).toMatchObject(
    isKnown
      ? { value: { value: 0n, fee: 0n, sent: 0, reverted: 0 } }
      : { fault: { words: expect.stringContaining("the node is behind, or this clock ahead") } },
  );
});

test("asks a node once for a method that it does not have", async () => {
  const node = chainNode(busyChain(100, { blockReceipts: false }));
  await readSpendSince(node, OWN, { network: UNKNOWN, since: NOW - HOUR, now: NOW });
  expect(node.asked.filter(({ method }) => method === "eth_getBlockReceipts")).toHaveLength(1);
});

test("is a fault on a node that has neither the state nor an index", async () => {
  const node = chainNode(busyChain(400, { state: 128 }));
  expect(await readSpendSince(node, OWN, { network: UNKNOWN, since: NOW - 24 * HOUR, now: NOW })).toHaveProperty(
    "fault",
  );
});

test.each([
  ["whole blocks", 1, true, {}],
  ["whole blocks from an index", 24, true, { state: 128, indexed: true }],
  ["transactions", 1, false, {}],
])(
  "is a fault if the receipts of %s are from a block that is not the chain's",
  async (_, hours, blockReceipts, change) => {
    const whole = chainNode(busyChain(400, { blockReceipts, ...change }));
    const replaced = (value: JsonValue): JsonValue =>
      JSON.parse(JSON.stringify(value).replace(/("blockHash":"0x)../g, "$1ff"));
    const node: ChainNode = {
      name: whole.name,
      ask: async (method, params) => {
        const shown = await whole.ask(method, params);
        return /Receipt/.test(method) && "value" in shown ? { value: replaced(shown.value) } : shown;
      },
    };
    const found = await readSpendSince(node, OWN, { network: UNKNOWN, since: NOW - hours * HOUR, now: NOW });
    expect(found).toHaveProperty("fault");
  },
);

test.each([
  ["a receipt is missing", { eth_getBlockReceipts: null, eth_getTransactionReceipt: null }],
  ["a reorganization dropped the transaction", { eth_getBlockReceipts: [], eth_getTransactionReceipt: null }],
  ["the node limits requests", { eth_getBlockReceipts: fault("limited") }],
])("is a fault, not a smaller sum, if %s", async (_, responses: Record<string, JsonValue | Reading<JsonValue>>) => {
  const whole = chainNode(busyChain(20));
  const node: ChainNode = {
    name: whole.name,
    ask: async (method, params) => {
      const response = responses[method];
      if (response === undefined) return await whole.ask(method, params);
      return isFault(response) ? response : { value: response as JsonValue };
    },
  };
  expect(await readSpendSince(node, OWN, { network: UNKNOWN, since: NOW - HOUR, now: NOW })).toHaveProperty("fault");
});

function isFault(response: unknown): response is { fault: NodeFault } {
  return response instanceof Object && "fault" in response;
}
