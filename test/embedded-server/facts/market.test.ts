import { RELAY_CODE } from "../../../src/contract/relay-code.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { askDemo, LOCAL, localState, START, stoppedClock } from "../ask.ts";
import { localService, TO } from "../openzeppelin/local-service.ts";

const TAGGED = { network: { tags: ["optimism"] } };
const CHANGING = { pricesChangeSince: START };

test("15.2: on a tagged network, a replacement works once the market has risen by a tenth in both members", async () => {
  const { send, record, replace, minedAt } = localService({ ...TAGGED, ...CHANGING });
  const id = await send({ speed: "safeLow" });
  const original = await record(id, 5);
  await record(id, 60);
  const returned = await replace(id, { speed: "safeLow" });
  expect([original.max_fee_per_gas, returned.max_fee_per_gas]).toEqual(["10300000000", "11330000000"]);
  expect(await record(id, 600)).toMatchObject({ status: "confirmed", value: "0x2" });
  expect(await minedAt(0)).toMatchObject({ value: "0x2" });
});

test("15.3: on a tagged network, a cancellation works once the market has risen by a tenth in both members", async () => {
  const { send, record, cancel, minedAt } = localService({ ...TAGGED, ...CHANGING });
  const id = await send({ speed: "safeLow" });
  await record(id, 60);
  await cancel(id);
  expect(await record(id, 600)).toMatchObject({ status: "canceled", value: "0x0", is_canceled: true });
  expect(await minedAt(0)).toMatchObject({ value: "0x0" });
});

test("a transaction below the risen base fee is mined once the base fee has fallen", async () => {
  const { ask, send, record, minedAt } = localService(CHANGING);
  const prices = { max_fee_per_gas: 1_050_000_000, max_priority_fee_per_gas: 1_000_000, speed: undefined };
  const id = await send(prices);
  expect((await record(id, 19 * 60)).status).toBe("submitted");
  expect((await record(id, 20 * 60 + 15)).status).toBe("confirmed");
  const mined = await minedAt(0);
  const block = { method: "eth_getBlockByNumber", params: [mined?.blockNumber, false] };
  const { result } = JSON.parse((await ask("POST", "/relayers/local-1/rpc", block)).text);
  expect([Number(result.baseFeePerGas), Number(result.timestamp) * 1000]).toEqual([1e9, START + 20 * 60_000]);
});

test("the fee history and the gas price follow the market", async () => {
  const { at, node } = localService(CHANGING);
  at(61);
  const history = await node<{ baseFeePerGas: string[]; reward: string[][] }>("eth_feeHistory", "0x4", "latest", [85]);
  expect(history.baseFeePerGas.map(Number)).toEqual([1e9, 1e9, 1.1e9, 1.1e9, 1.1e9]);
  expect(history.reward.map(([tip]) => Number(tip))).toEqual([0.85e9, 0.85e9, 0.935e9, 0.935e9]);
  expect(await node("eth_gasPrice")).toBe(`0x${22_000_000_000n.toString(16)}`);
});

test("a balance falls by the value and the fee of each mined transaction, and rises by what it receives", async () => {
  const { ask, at, send, record, node, state } = localService();
  const local = { ...state.relayers.get("local-1"), id: "local-2", signer_id: "s2", address: TO };
  state.relayers.put(local);
  const balance = async (relayer: string) =>
    BigInt(JSON.parse((await ask("GET", `/relayers/${relayer}/status`)).text).data.balance);
  const opening = await balance("local-1");
  const id = await send({ value: "1000", gas_limit: 50_000 });
  await record(id, 5);
  expect(await balance("local-1")).toBe(opening);
  const { hash } = await record(id, 60);
  const receipt = await node<Record<string, string>>("eth_getTransactionReceipt", hash);
  const [gas, price] = [BigInt(receipt.gasUsed ?? ""), BigInt(receipt.effectiveGasPrice ?? "")];
  expect([gas, price]).toEqual([21_000n, 1_850_000_000n]);
  expect(await balance("local-1")).toBe(opening - 1000n - gas * price);
  expect(await balance("local-2")).toBe(opening + 1000n);
  const before = `0x${(BigInt(receipt.blockNumber ?? "") - 1n).toString(16)}`;
  expect(BigInt(await node("eth_getBalance", TO, before))).toBe(opening);
  at(61);
  expect(BigInt(await node("eth_getBalance", TO, "latest"))).toBe(opening + 1000n);
});

test("a balance does not follow the minimum of its relayer", async () => {
  const { ask } = localService();
  const balance = async () => (await ask("GET", "/relayers/eth-main-1/balance")).data.balance;
  const opening = await balance();
  await ask("PATCH", "/relayers/eth-main-1", { policies: { min_balance: 1 } });
  expect([opening, await balance()]).toEqual([15e17, 15e17]);
});

test("a reverted call costs its fee, but not its value", async () => {
  const { ask, send, record } = localService();
  const balance = async () => BigInt(JSON.parse((await ask("GET", "/relayers/local-1/status")).text).data.balance);
  const opening = await balance();
  const id = await send({ to: "0x52908400098527886e0f7030069857d2e416c0de", data: "0x12345678", value: "5" });
  expect((await record(id, 60)).status).toBe("failed");
  expect(await balance()).toBe(opening - 200_000n * 1_850_000_000n);
});

test("a node refuses a transaction that its sender cannot pay for in addition to those that wait", async () => {
  const { send, record } = localService();
  const most = 3n * 10n ** 18n;
  const ids = [await send({ value: String(most / 2n) }), await send({ value: String(most / 2n) })];
  const records = await Promise.all(ids.map((id) => record(id, 5)));
  expect(records.map(({ status }) => status).toSorted()).toEqual(["sent", "submitted"]);
});

describe("the history of a chain", () => {
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
});

const TOKEN = "0x52908400098527886e0f7030069857d2e416c0de";
const word = (value: bigint) => value.toString(16).padStart(64, "0");
const transfer = (amount: bigint) => `0xa9059cbb${word(1n)}${word(amount)}`;
const HELD = 10n ** 12n;
const REVERTING = { to: TOKEN, data: transfer(HELD + 1n) };
const WORKING = { to: TOKEN, data: transfer(HELD) };

/** What a node responds to a call through the service, whose errors have a code only. */
async function call(method: string, ...params: unknown[]) {
  const { text } = await localService().ask("POST", "/relayers/local-1/rpc", { method, params });
  const { result, error } = JSON.parse(text);
  return error ? error.description : result;
}

describe("a call that reverts", () => {
  test("15.4: is sent, mined, and paid for, and its record is failed", async () => {
    const { send, record, node, byHash } = localService();
    const id = await send({ ...REVERTING, value: "0" });
    const { hash, gas_limit } = await record(id, 5);
    expect(gas_limit).toBe(65_000);
    expect(await record(id, 60)).toMatchObject({
      status: "failed",
      status_reason: "Transaction reverted on-chain (receipt status: failed)",
    });
    expect(await byHash(hash)).toMatchObject({ blockNumber: expect.stringMatching(/^0x/) });
    expect(await node("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x0" });
  });

  test("15.4: of an unknown method takes 200,000 gas", async () => {
    const { send, record } = localService();
    const id = await send({ to: TOKEN, data: "0x12345678", value: "0" });
    expect(await record(id, 5)).toMatchObject({ status: "submitted", gas_limit: 200_000 });
    expect((await record(id, 60)).status).toBe("failed");
  });

  test("has its data in the reason if the relayer's policy includes it", async () => {
    const { send, record } = localService({ relayer: { policies: { include_revert_data: true } } });
    const id = await send({ ...REVERTING, value: "0" });
    expect((await record(id, 60)).status_reason).toMatch(/^Transaction reverted on-chain \(revert_data: 0x08c379a0/);
  });

  test.each(["eth_call", "eth_estimateGas"])("15.5: fails in %s without its reason", async (method) => {
    expect(await call(method, REVERTING)).toBe("RPC error occurred (code: 3)");
    expect(await call(method, WORKING)).toMatch(/^0x/);
  });

  test("15.5: has its reason in a simulation", async () => {
    const [block] = await call("eth_simulateV1", { blockStateCalls: [{ calls: [REVERTING, WORKING] }] }, "latest");
    expect(block.calls).toMatchObject([
      { status: "0x0", returnData: expect.stringMatching(/^0x08c379a0/) },
      { status: "0x1", returnData: `0x${word(1n)}` },
    ]);
    const reason = Buffer.from(block.calls[0].returnData.slice(2 + 8 + 128), "hex")
      .toString()
      .replaceAll("\0", "");
    expect(reason).toBe("ERC20: transfer amount exceeds balance");
  });
});

describe("a call that reverts", () => {
  const TRACER = { tracer: "callTracer", tracerConfig: { onlyTopCall: true } };
  const OWN = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
  const CALLER = "0x00000000000000000000000000000000ca11e400";
  const relayed = (data: string) => `0x${TOKEN.slice(2).padStart(64, "0")}${data.slice(2)}`;
  const override = { [OWN]: { code: RELAY_CODE } };

  test("15.5: has its reason in a trace", async () => {
    expect(await call("debug_traceCall", REVERTING, "latest", TRACER)).toMatchObject({
      type: "CALL",
      to: TOKEN,
      output: expect.stringMatching(/^0x08c379a0/),
      error: "execution reverted",
      revertReason: "ERC20: transfer amount exceeds balance",
    });
    const worked = await call("debug_traceCall", WORKING, "latest", TRACER);
    expect(worked).toMatchObject({ output: `0x${word(1n)}` });
    expect(worked).not.toHaveProperty("error");
  });

  test("15.5: returns its reason through code at another address, and only through that code", async () => {
    const through = (data: string, overrides: object) =>
      call("eth_call", { from: CALLER, to: OWN, data: relayed(data) }, "latest", overrides);
    expect(await through(REVERTING.data, override)).toMatch(new RegExp(`^0x${word(0n)}08c379a0`));
    expect(await through(WORKING.data, override)).toBe(`0x${word(1n)}${word(1n)}`);
    expect(await through(REVERTING.data, {})).toBe("0x");
    expect(await through(REVERTING.data, { [OWN]: { code: "0x6001" } })).toMatch(/code: -32000/);
  });

  test("needs a balance for its value", async () => {
    const paying = { from: CALLER, to: OWN, data: relayed(WORKING.data), value: "0x1" };
    expect(await call("eth_call", paying, "latest", override)).toMatch(/code: -32000/);
    const funded = { ...override, [CALLER]: { balance: "0x1" } };
    expect(await call("eth_call", paying, "latest", funded)).toMatch(/^0x/);
  });

  test("because its gas does not pay for its data is not a revert", async () => {
    const poor = { ...WORKING, gas: "0x5208" };
    const [block] = await call("eth_simulateV1", { blockStateCalls: [{ calls: [poor] }] }, "latest");
    expect(block.calls[0]).toMatchObject({ status: "0x0", returnData: "0x", error: { message: "out of gas" } });
  });

  test("at a block whose state is gone fails", async () => {
    for (const params of [
      ["eth_simulateV1", {}],
      ["debug_traceCall", REVERTING],
      ["eth_call", REVERTING],
    ] as const)
      expect(await call(params[0], params[1], "0x1", TRACER)).toMatch(/code: -32000/);
  });
});

test("a call that works is confirmed", async () => {
  const { send, record } = localService();
  const id = await send({ ...WORKING, value: "0" });
  expect((await record(id, 60)).status).toBe("confirmed");
});

test("a replacement with data and without a gas limit fails on the chain", async () => {
  const { send, record, replace, node } = localService();
  const id = await send();
  await record(id, 5);
  await replace(id, { to: TOKEN, data: transfer(1n), value: "0" });
  const failed = await record(id, 120);
  expect(failed).toMatchObject({ status: "failed", gas_limit: null });
  expect(await node("eth_getTransactionReceipt", failed.hash)).toMatchObject({ status: "0x0", gasUsed: "0x5208" });
});

test("only contracts have code", async () => {
  expect(await call("eth_getCode", TOKEN, "latest")).toMatch(/^0x6080/);
  expect(await call("eth_getCode", "0x52908400098527886e0f7030069857d2e4169ee7", "latest")).toBe("0x");
});

test.each(["eth_simulateV1", "debug_traceCall"])("a node can lack %s", async (method) => {
  const failures = [{ method: "NODE", path: method, status: -32_601, rate: 1 }];
  const { ask } = localService({ failures });
  const { text } = await ask("POST", "/relayers/local-1/rpc", { method, params: [REVERTING, "latest"] });
  expect(JSON.parse(text).error.description).toBe("RPC error occurred (code: -32601)");
});
