import { RELAY_CODE } from "../../../src/contract/relay-code.ts";
import { localService } from "../openzeppelin/local-service.ts";

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
