import {
  readBalance,
  readEvmBlock,
  readEvmBlockOfSender,
  readEvmCode,
  readEvmReceipt,
  readEvmTransaction,
  readNonce,
} from "../../../src/chain/evm/read-evm.ts";
import type { JsonValue } from "../../../src/contract/json.ts";
import { chainNode, NOW } from "../fake-chain.ts";
import { fakeNode } from "../fake-node.ts";

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
    expect(await readEvmBlockOfSender(saying(found), 42n, OWN)).toMatchObject({
      fault: { kind: "unreadable" },
    });
    const moved = { ...found, number: "0x2a", transactions: [{ ...BODY, blockNumber: "0x2b" }] };
    expect(await readEvmBlockOfSender(saying(moved), 42n, OWN)).toEqual({ value: [] });
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
