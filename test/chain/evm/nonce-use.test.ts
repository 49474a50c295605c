import { readNonceUse } from "../../../src/chain/evm/nonce-use.ts";
import { isJsonObject } from "../../../src/contract/json.ts";
import { chainNode, type FakeChain, type Mined, NOW, timeOf } from "../fake-chain.ts";
import { type FakeNode, fakeNode, fault, listOf } from "../fake-node.ts";

const OWN = `0x${"70".repeat(20)}`;
const OTHER = `0x${"90".repeat(20)}`;
const hashOf = (nonce: number) => `0x${nonce.toString(16).padStart(64, "0")}`;

/** One transaction of the account in each of these blocks, with the nonces 0, 1, 2. */
function sentIn(...blocks: number[]): Mined[] {
  return blocks.map((block, nonce) => ({ hash: hashOf(nonce), from: OWN, to: OTHER, nonce, block }));
}

async function useOf(chain: FakeChain, nonce: number, sentAt?: number) {
  const node = chainNode(chain);
  const since = sentAt === undefined ? undefined : timeOf(chain, sentAt) * 1000;
  return { node, use: await readNonceUse(node, { from: OWN, nonce: BigInt(nonce), since }, NOW) };
}

const methodsOf = (node: FakeNode) => node.asked.map(({ method }) => method);

test("takes one call if the nonce is unused", async () => {
  const { node, use } = await useOf({ height: 1_000, transactions: sentIn(900) }, 1);
  expect([use, node.asked.length]).toEqual([{ value: { state: "unused" } }, 1]);
});

test("comes from the node's own index if there is one", async () => {
  const { node, use } = await useOf({ height: 1_000, transactions: sentIn(10, 900), indexed: true }, 1);
  expect(use).toMatchObject({ value: { state: "used", by: { hash: hashOf(1), block: 900n } } });
  expect(methodsOf(node)).toEqual(["eth_getTransactionCount", "eth_getTransactionBySenderAndNonce"]);
});

test.each([[1], [2], [17], [499_999], [999_999], [1_000_000]])(
  "is found in block %i of a million with at most 40 calls",
  async (block) => {
    const { node, use } = await useOf({ height: 1_000_000, transactions: sentIn(block) }, 0);
    expect(use).toMatchObject({ value: { state: "used", by: { hash: hashOf(0), block: BigInt(block) } } });
    expect(node.asked.length).toBeLessThanOrEqual(40);
  },
);

test("takes at most 15 calls for a block of the last minutes", async () => {
  const { node } = await useOf({ height: 20_000_000, transactions: sentIn(19_999_980) }, 0);
  expect(node.asked.length).toBeLessThanOrEqual(15);
});

test("is searched block by block from the time of sending if the node has no old state", async () => {
  const chain = { height: 1_000_000, transactions: sentIn(999_600), state: 128 };
  const { node, use } = await useOf(chain, 0, 999_595);
  expect(use).toMatchObject({ value: { state: "used", by: { hash: hashOf(0) } } });
  expect(node.asked.length).toBeLessThan(60);
});

test("is unknown without old state and without the time of sending", async () => {
  const { use } = await useOf({ height: 1_000_000, transactions: sentIn(999_600), state: 128 }, 0);
  expect(use).toMatchObject({ value: { state: "used", by: undefined, why: expect.stringContaining("state") } });
});

test("is unknown if it is more than 512 blocks after the time of sending", async () => {
  const chain = { height: 1_000_000, transactions: sentIn(999_600), state: 128 };
  const { node, use } = await useOf(chain, 0, 998_000);
  expect(use).toMatchObject({ value: { state: "used", by: undefined } });
  expect(node.asked.length).toBeLessThanOrEqual(40 + 512);
});

test("is not a transaction of another sender with the same nonce", async () => {
  const others = [{ hash: hashOf(9), from: OTHER, nonce: 0, block: 900 }];
  const { use } = await useOf({ height: 1_000, transactions: [...others, ...sentIn(900)] }, 0);
  expect(use).toMatchObject({ value: { by: { hash: hashOf(0) } } });
});

test("is unknown if the block does not contain it", async () => {
  const chain = chainNode({ height: 1_000, transactions: sentIn(900) });
  const ask: FakeNode["ask"] = async (method, params) => {
    const reading = await chain.ask(method, params);
    if (listOf(params)[1] !== true || "fault" in reading || !isJsonObject(reading.value)) return reading;
    return { value: { ...reading.value, transactions: [] } };
  };
  const node = { name: "a node", ask };
  expect(await readNonceUse(node, { from: OWN, nonce: 0n, since: undefined }, NOW)).toMatchObject({
    value: { state: "used", by: undefined },
  });
});

test("is unknown if the node's nonces contradict each other", async () => {
  const node = fakeNode((method, params) => {
    if (method === "eth_getTransactionCount") return params[1] === "latest" ? "0x5" : "0x9";
    return method === "eth_getBlockByNumber" ? { number: "0x64", timestamp: "0x1" } : fault("no_method");
  });
  expect(await readNonceUse(node, { from: OWN, nonce: 2n, since: 1 }, NOW)).toMatchObject({
    value: { state: "used", by: undefined, why: "the node's nonces contradict each other" },
  });
  expect(node.asked.length).toBeLessThan(10);
});

test("is not the transaction of another sender from the node's index", async () => {
  const chain = chainNode({ height: 1_000, transactions: sentIn(900) });
  const foreign = {
    hash: hashOf(7),
    from: OTHER,
    to: OTHER,
    value: "0x1",
    input: "0x",
    nonce: "0x0",
    blockNumber: "0x5",
  };
  const ask: FakeNode["ask"] = (method, params) =>
    method.endsWith("SenderAndNonce") ? Promise.resolve({ value: foreign }) : chain.ask(method, params);
  expect(await readNonceUse({ name: "a node", ask }, { from: OWN, nonce: 0n, since: undefined }, NOW)).toMatchObject({
    value: { by: { hash: hashOf(0) } },
  });
});

test("is a fault, not unused, if the node fails", async () => {
  const node = fakeNode(() => fault("unreachable"));
  expect(await readNonceUse(node, { from: OWN, nonce: 0n, since: 1 }, NOW)).toEqual(fault("unreachable"));
});
