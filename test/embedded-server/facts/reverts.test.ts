import { describe, expect, test } from "vitest";
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
  test("is sent, mined, and paid for, and its record is failed", async () => {
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

  test("of an unknown method takes 200,000 gas", async () => {
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

  test.each(["eth_call", "eth_estimateGas"])("fails in %s without its reason", async (method) => {
    expect(await call(method, REVERTING)).toBe("RPC error occurred (code: 3)");
    expect(await call(method, WORKING)).toMatch(/^0x/);
  });

  test("has its reason in a simulation", async () => {
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

test("a node without tracing does not know the method", async () => {
  expect(await call("debug_traceCall", REVERTING, "latest", {})).toBe("RPC error occurred (code: -32601)");
});
