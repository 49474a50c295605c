import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { askDemo, LOCAL, localState, stoppedClock } from "../ask.ts";

const TO = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const hex = (number: number) => `0x${number.toString(16)}`;

interface Block {
  number: string;
  timestamp: string;
  parentHash: string;
  hash: string;
  transactions: { from: string; nonce: string; hash: string; value: string }[];
}

/** A node whose chain has a block every second, a transfer in one of the blocks, and 200 more blocks on top. */
async function history() {
  const clock = stoppedClock();
  let ids = 0;
  const random = { uuid: () => `tx-${++ids}`, fraction: () => 0 };
  const ask = askDemo({ clock, random, store: memoryStore(localState()) });
  const call = async <T = string>(method: string, ...params: unknown[]): Promise<T> =>
    JSON.parse((await ask("POST", "/relayers/local-1/rpc", { method, params })).text).result;
  const errorOf = async (method: string, ...params: unknown[]) =>
    JSON.parse((await ask("POST", "/relayers/local-1/rpc", { method, params })).text).error;
  const { id } = (await ask("POST", "/relayers/local-1/transactions", { to: TO, value: 1, speed: "fast" })).data;
  clock.time = 60_000;
  const { hash } = (await ask("GET", `/relayers/local-1/transactions/${id}`)).data;
  const { blockNumber } = await call<{ blockNumber: string }>("eth_getTransactionReceipt", hash);
  return { ask, call, errorOf, clock, hash, mined: Number(blockNumber) };
}

describe("the history of a chain", () => {
  test("15.6: has the number of transactions of an address at each block", async () => {
    const { call, mined } = await history();
    const counts = [mined - 1, mined, mined + 1].map((block) => call("eth_getTransactionCount", LOCAL, hex(block)));
    expect(await Promise.all(counts)).toEqual(["0x0", "0x1", "0x1"]);
    expect(await call("eth_getTransactionCount", LOCAL, "latest")).toBe("0x1");
  });

  test("15.6: has waiting transactions in the count of pending ones only", async () => {
    const { ask, call, clock } = await history();
    await ask("POST", "/relayers/local-1/transactions", { to: TO, value: 2, speed: "fast" });
    clock.time += 5000;
    expect(await call("eth_getTransactionCount", LOCAL, "latest")).toBe("0x1");
    expect(await call("eth_getTransactionCount", LOCAL, "pending")).toBe("0x2");
  });

  test.each(["eth_getTransactionCount", "eth_getBalance", "eth_getCode"])(
    "15.6: has no state for %s that is older than 128 blocks",
    async (method) => {
      const { call, errorOf } = await history();
      const height = Number(await call("eth_blockNumber"));
      expect(await call(method, LOCAL, hex(height - 127))).toMatch(/^0x/);
      expect(await errorOf(method, LOCAL, hex(height - 128))).toEqual({
        code: -32603,
        message: "Internal error",
        description: "RPC error occurred (code: -32000)",
      });
    },
  );

  test("15.6: has the bodies of all blocks, with the transaction that used a nonce", async () => {
    const { call, clock, hash, mined } = await history();
    clock.time += 1_000_000;
    const block = await call<Block>("eth_getBlockByNumber", hex(mined), true);
    expect(block.transactions).toMatchObject([{ hash, from: LOCAL, nonce: "0x0", value: "0x1" }]);
    expect((await call<Block>("eth_getBlockByNumber", hex(mined), false)).transactions).toEqual([hash]);
    expect((await call<Block>("eth_getBlockByNumber", hex(mined - 1), true)).transactions).toEqual([]);
  });

  test("15.6: has blocks that never change, one second apart, each after its parent", async () => {
    const { call, clock, mined } = await history();
    const block = await call<Block>("eth_getBlockByNumber", hex(mined), true);
    const next = await call<Block>("eth_getBlockByNumber", hex(mined + 1), true);
    expect([next.parentHash, Number(next.timestamp)]).toEqual([block.hash, Number(block.timestamp) + 1]);
    clock.time += 500_000;
    expect(await call<Block>("eth_getBlockByNumber", hex(mined), true)).toEqual(block);
  });

  test("15.6: has no block of the future", async () => {
    const { call } = await history();
    const height = Number(await call("eth_blockNumber"));
    expect(await call("eth_getBlockByNumber", hex(height + 1), true)).toBe(null);
    const finalized = await call<Block>("eth_getBlockByNumber", "finalized", false);
    expect(Number(finalized.number)).toBe(height - 64);
  });
});

test("15.7: the status counts the nonces that the relayer gave out, and the chain those that were used", async () => {
  const ask = askDemo();
  const status = (await ask("GET", "/relayers/eth-main-1/status")).data;
  const address = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
  const { text } = await ask("POST", "/relayers/eth-main-1/rpc", {
    method: "eth_getTransactionCount",
    params: [address, "latest"],
  });
  expect([status.nonce, JSON.parse(text).result]).toEqual(["11", "0x7"]);
});

test("15.7: a paused relayer has a status and a balance, but no calls to its node", async () => {
  const ask = askDemo();
  const relayer = "/relayers/eth-main-2";
  const replies = [ask("GET", `${relayer}/status`), ask("GET", `${relayer}/balance`)];
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await ask("POST", `${relayer}/rpc`, { method: "eth_blockNumber" })).status).toBe(403);
});
