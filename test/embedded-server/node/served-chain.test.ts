import { stateFromText, stateToText } from "../../../src/embedded-server/state/state-text.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { cli } from "../../helpers/cli.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { askDemo, localState, stoppedClock } from "../ask.ts";

const TO = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const BASE = "/relayers/local-1";
const MINED = { blockNumber: expect.stringMatching(/^0x[0-9a-f]+$/) };
const WAITING = { blockNumber: null };

/** Reads a transfer of 1 wei `time` milliseconds after it was requested. */
async function transferAt(time: number) {
  const clock = stoppedClock();
  let ids = 0;
  const store = memoryStore(localState());
  const ask = askDemo({ clock, store, random: { uuid: () => `tx-${++ids}`, fraction: () => 0 } });
  const { id } = (await ask("POST", `${BASE}/transactions`, { to: TO, value: 1, speed: "fastest" })).data;
  const path = `${BASE}/transactions/${id}`;
  const at = async (later: number) => {
    clock.time = later;
    return (await ask("GET", path)).data;
  };
  const node = async (name: string, hash: unknown) => {
    const text = (await ask("POST", `${BASE}/rpc`, { method: `eth_getTransaction${name}`, params: [hash] })).text;
    return JSON.parse(text).result;
  };
  const { hash } = await at(time);
  return { ask, at, node, path, hash };
}

describe("the embedded server's chain", () => {
  test("has a transaction once it is sent, and a receipt once it is mined", async () => {
    const { at, node, hash } = await transferAt(2000);
    expect(await node("ByHash", hash)).toMatchObject({ hash, value: "0x1", ...WAITING });
    expect(await node("Receipt", hash)).toBe(null);
    await at(17_000);
    const { blockNumber } = await node("ByHash", hash);
    expect(await node("Receipt", hash)).toMatchObject({ transactionHash: hash, status: "0x1", blockNumber });
    expect(blockNumber).toMatch(/^0x[0-9a-f]+$/);
  });

  test("has only the replacement of a submitted transaction", async () => {
    const { ask, at, node, path, hash } = await transferAt(3000);
    const replaced = (await ask("PUT", path, { to: TO, value: 2 })).data;
    expect(await node("ByHash", hash)).toBe(null);
    await at(60_000);
    expect(await node("ByHash", replaced.hash)).toMatchObject({ value: "0x2", ...MINED });
  });

  test("has the transfer until the NOOP that cancels it is sent, and then the NOOP", async () => {
    const { ask, at, node, path, hash } = await transferAt(3000);
    await ask("DELETE", path);
    await ask("DELETE", path);
    expect(await node("ByHash", hash)).toMatchObject({ value: "0x1", ...WAITING });
    const canceled = await at(120_000);
    expect(canceled.status).toBe("canceled");
    expect(await node("ByHash", hash)).toBe(null);
    expect(await node("ByHash", canceled.hash)).toMatchObject({ value: "0x0", ...MINED });
  });
});

test("agrees with the record in tx get --on-chain", async () => {
  const { exitCode, stderr } = await cli("tx get eth-main-1 0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60 --on-chain");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(" was mined in block ") });
});

test("of a state that was kept without chains agrees with its records", async () => {
  const id = "d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293";
  const { chains: _, ...kept } = JSON.parse(stateToText(seedState("demo")));
  const record = kept.transactions.find((each: { id: string }) => each.id === id);
  kept.broadcast = [{ ...record }];
  Object.assign(record, { status: "failed", hash: `0x${"7".repeat(64)}` });
  const store = memoryStore(stateFromText(JSON.stringify(kept)));
  const ask = askDemo({ store });
  const receiptOf = async (params: unknown[]) =>
    JSON.parse((await ask("POST", "/relayers/polygon-bulk/rpc", { method: "eth_getTransactionReceipt", params })).text);
  expect((await receiptOf([kept.broadcast[0].hash])).result).toMatchObject({ status: "0x1" });
  expect((await receiptOf([record.hash])).result).toBe(null);
});
