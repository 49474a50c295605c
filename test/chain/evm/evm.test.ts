import fc from "fast-check";
import { blockAt, MARGIN } from "../../../src/chain/evm/block-at.ts";
import { marketMaxFee, marketPrice, readFeeHistory } from "../../../src/chain/evm/fee-history.ts";
import { readNonceUse } from "../../../src/chain/evm/nonce-use.ts";
import {
  readBalance,
  readEvmBlock,
  readEvmCode,
  readEvmReceipt,
  readEvmTransaction,
  readNonce,
  readSenderBlock,
} from "../../../src/chain/evm/read-evm.ts";
import { isJsonObject, type JsonValue } from "../../../src/contract/json.ts";
import { chainNode, type FakeChain, type Mined, NOW, timeOf } from "../fake-chain.ts";
import { type FakeNode, fakeNode, fault, listOf } from "../fake-node.ts";

const HASH = `0x${"fc".repeat(32)}`;
const OTHER_HASH = `0x${"3b".repeat(32)}`;
const OWN = `0x${"70".repeat(20)}`;
const TO = `0x${"3c".repeat(20)}`;
const CHAIN = {
  height: 100,
  transactions: [{ hash: HASH, from: OWN, to: TO, value: 1_000n, nonce: 0, block: 42, reverted: true }],
};
const BODY = { hash: HASH, from: OWN, to: TO, value: "0x3e8", input: "0x", nonce: "0x4", blockNumber: "0x2a" };

const saying = (result: JsonValue) => fakeNode(() => result);

describe("the responses of a node", () => {
  test("contain a transaction and its receipt exactly", async () => {
    const node = chainNode(CHAIN);
    expect(await readEvmTransaction(node, HASH)).toMatchObject({
      value: { hash: HASH, from: OWN, to: TO, value: 1_000n, data: "0x", nonce: 0n, block: 42n, maxFee: 10n ** 10n },
    });
    expect(await readEvmReceipt(node, HASH, 42n)).toMatchObject({ value: { hash: HASH, block: 42n, reverted: true } });
    expect(await readEvmTransaction(node, OTHER_HASH)).toEqual({ value: null });
    expect(await readEvmReceipt(node, OTHER_HASH, 42n)).toEqual({ value: null });
  });

  test("may contain the hash in upper or lower case", async () => {
    const node = saying({ ...BODY, hash: HASH.toUpperCase().replace("0X", "0x") });
    expect(await readEvmTransaction(node, HASH.toUpperCase().replace("0X", "0x"))).toMatchObject({
      value: { hash: HASH },
    });
  });

  test("of a contract creation have no receiver, and of a pending transaction no block", async () =>
    expect(await readEvmTransaction(saying({ ...BODY, to: null, blockNumber: null }), HASH)).toMatchObject({
      value: { to: null, block: undefined },
    }));

  const RECEIPT = { transactionHash: HASH, blockNumber: "0x2a", blockHash: OTHER_HASH, status: "0x1" };
  const BLOCK = { number: "0x2a", hash: OTHER_HASH, timestamp: "0x1" };
  const { status: _, ...STATELESS } = RECEIPT;
  const readFrom = async (receipt: JsonValue, block: JsonValue = BLOCK) =>
    await readEvmReceipt(
      fakeNode((method) => (method === "eth_getTransactionReceipt" ? receipt : block)),
      HASH,
      42n,
    );

  test("leave unknown whether a transaction from before Byzantium reverted", async () => {
    expect(await readFrom(RECEIPT)).toMatchObject({ value: { reverted: false } });
    expect(await readFrom({ ...STATELESS, root: HASH })).toMatchObject({ value: { reverted: undefined } });
  });

  const ODD: JsonValue[] = [null, "", "0x", "0x2", "success", "0x1 ", 1, 1.5, true, false, [], ["0x1"], {}, HASH];
  const members = ["transactionHash", "blockNumber", "blockHash", "status"] as const;

  test.each(members.flatMap((name) => [...ODD, undefined].map((odd) => [name, odd] as const)))(
    "a receipt with %s %j decides nothing",
    async (name, odd) => {
      const { [name]: _, ...rest } = RECEIPT;
      if (name === "transactionHash" && odd === HASH) return;
      const receipt = odd === undefined ? rest : { ...rest, [name]: odd };
      expect(await readFrom(receipt)).toMatchObject({ fault: { kind: "unreadable" } });
    },
  );

  test.each([...ODD.filter((odd) => odd !== HASH), undefined])(
    "a receipt with the root %j decides nothing",
    async (root) => {
      const receipt = root === undefined ? STATELESS : { ...STATELESS, root };
      expect(await readFrom(receipt)).toMatchObject({ fault: { kind: "unreadable" } });
    },
  );

  test.each<[string, JsonValue]>([
    ["has another hash", { ...BLOCK, hash: HASH }],
    ["has no hash", { number: "0x2a", timestamp: "0x1" }],
    ["is another block", { ...BLOCK, number: "0x2b" }],
    ["is not there", null],
  ])("a receipt decides nothing if the chain's block with its number %s", async (_, block) => {
    expect(await readFrom(RECEIPT, block)).toMatchObject({ fault: { kind: "unreadable" } });
  });

  test.each<[string, JsonValue]>([
    ["a transaction under another hash", { ...BODY, hash: OTHER_HASH }],
    ["a transaction without a value", { ...BODY, value: null }],
    ["a value in decimal digits", { ...BODY, value: "1000" }],
    ["an amount of more than 256 bits", { ...BODY, value: `0x1${"0".repeat(64)}` }],
    ["an address of 19 bytes", { ...BODY, to: `0x${"3c".repeat(19)}` }],
    ["data that is half a byte", { ...BODY, input: "0x123" }],
    ["a block in words", { ...BODY, blockNumber: "soon" }],
    ["a text", "confirmed"],
    ["a list", []],
    ["a number", 1],
  ])("%s is rejected", async (_, result) => {
    expect(await readEvmTransaction(saying(result), HASH)).toMatchObject({ fault: { kind: "unreadable" } });
  });

  test("contain the number and time of a block", async () =>
    expect(await readEvmBlock(chainNode(CHAIN), "latest", NOW)).toMatchObject({
      value: { number: 100n, time: Math.floor(NOW / 1000) * 1000 - 3_000, baseFee: 10_000_000_000n },
    }));

  test.each<[string, bigint | "latest", JsonValue]>([
    ["a block a day ahead", "latest", { number: "0x64", timestamp: `0x${(NOW / 1000 + 86_400).toString(16)}` }],
    ["a time beyond all dates", "latest", { number: "0x64", timestamp: `0x${"f".repeat(60)}` }],
    ["another block", 7n, { number: "0x64", timestamp: "0x1" }],
    ["a block without a number", "latest", { number: null, timestamp: "0x1" }],
    ["a block that does not exist yet", 7n, null],
  ])("%s is rejected", async (_, at, result) => {
    expect(await readEvmBlock(saying(result), at, NOW)).toMatchObject({ fault: { kind: "unreadable" } });
  });

  test.each([20, 14 * 60])("contain a block that is %d minutes ahead of this machine's clock", async (minutes) => {
    const seconds = NOW / 1000 + minutes * 60;
    const found = await readEvmBlock(saying({ number: "0x64", timestamp: `0x${seconds.toString(16)}` }), "latest", NOW);
    expect(found).toMatchObject({ value: { time: seconds * 1000 } });
  });

  test("with a different block are rejected, and transactions of other blocks are ignored", async () => {
    const found = { number: "0x2b", timestamp: "0x1", transactions: [BODY] };
    expect(await readSenderBlock(saying(found), 42n, OWN)).toMatchObject({
      fault: { kind: "unreadable" },
    });
    const moved = { ...found, number: "0x2a", transactions: [{ ...BODY, blockNumber: "0x2b" }] };
    expect(await readSenderBlock(saying(moved), 42n, OWN)).toMatchObject({ value: { own: [] } });
  });

  test("contain balance, code, and nonces exactly", async () => {
    expect(await readBalance(saying("0xffffffffffffffffff"), OWN)).toEqual({ value: 2n ** 72n - 1n });
    expect(await readEvmCode(saying("0x60FF"), TO)).toEqual({ value: "0x60ff" });
    const node = chainNode({
      ...CHAIN,
      transactions: [...CHAIN.transactions, { hash: OTHER_HASH, from: OWN, nonce: 1 }],
    });
    expect(await readNonce(node, OWN, "latest")).toEqual({ value: 1n });
    expect(await readNonce(node, OWN, "pending")).toEqual({ value: 2n });
    expect(await readNonce(node, OWN, 41n)).toEqual({ value: 0n });
    expect(await readBalance(saying(null), OWN)).toMatchObject({ fault: { kind: "unreadable" } });
  });
});

describe("the block at a time", () => {
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
});

describe("the market price", () => {
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
});

describe("the use of a nonce", () => {
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
});
