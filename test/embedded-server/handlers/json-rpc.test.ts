import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { askDemo, START } from "../ask.ts";

const ID_RULE = "Invalid 'id' field: must be a string, integer, or null";
const RPC = "/relayers/eth-main-1/rpc";

async function call(method: string, ...params: unknown[]): Promise<Record<string, unknown>> {
  return JSON.parse((await askDemo()("POST", RPC, { jsonrpc: "2.0", id: 7, method, params })).text);
}

test("returns the relayer's balance, and zero for other addresses", async () => {
  expect((await call("eth_getBalance", "0x70997970C51812DC3A010C7D01B50E0D17DC79C8", "latest")).result).toBe(
    `0x${(15n * 10n ** 17n).toString(16)}`,
  );
  expect((await call("eth_getBalance", "0x1")).result).toBe("0x0");
});

test("returns a transaction by its hash, and null for an unknown hash", async () => {
  const { items } = await askDemo()("GET", "/relayers/eth-main-1/transactions");
  const [transaction] = items.filter(({ hash }) => hash !== null);
  expect((await call("eth_getTransactionByHash", transaction?.hash)).result).toMatchObject({
    hash: transaction?.hash,
    to: transaction?.to,
  });
  expect((await call("eth_getTransactionByHash", "0x1")).result).toBe(null);
});

test("returns the latest block", async () => {
  const { result } = await call("eth_getBlockByNumber", "latest", false);
  const { result: number } = await call("eth_blockNumber");
  expect(result).toMatchObject({ number, timestamp: expect.stringMatching(/^0x/), transactions: [] });
});

test("has no ID in the response if the ID of the request is null", async () => {
  const reply = await askDemo()("POST", RPC, { id: null, method: "eth_chainId" });
  expect(reply.text).toBe('{"jsonrpc":"2.0","result":"0x1"}');
});

test("of Solana signs a transaction and queues a notification", async () => {
  const state = seedState("demo");
  const told: unknown[] = [];
  state.outbox.push = (...updates) => told.push(...updates);
  const ask = askDemo({ store: memoryStore(state) });
  const { text } = await ask("POST", "/relayers/sol-pay/rpc", {
    method: "signTransaction",
    params: { transaction: "AQAB" },
  });
  const { result } = JSON.parse(text);
  expect(result).toEqual({ transaction: "AQAB", signature: expect.stringMatching(/^[0-9a-f]{88}$/) });
  expect(told).toEqual([{ signed: result, relayerId: "sol-pay", timestamp: START }]);
});

test.each([
  ["eth-main-1", { method: "eth_chainId", id: 1.5 }, 400, ID_RULE],
  ["eth-main-1", { method: "eth_chainId", id: {} }, 400, ID_RULE],
  ["sol-pay", { method: "signTransaction" }, 400, "Invalid Solana RPC request: missing field `transaction`"],
  ["eth-main-2", { method: "eth_chainId" }, 403, "Relayer paused"],
  ["eth-sepolia", { method: "eth_chainId" }, 403, "Relayer disabled"],
  ["nothing", { method: "eth_chainId" }, 404, "Relayer with ID nothing not found"],
])("%s %j: %d", async (id, body, status, message) => {
  const reply = await askDemo()("POST", `/relayers/${id}/rpc`, body);
  expect({ status: reply.status, message: reply.json?.message }).toEqual({ status, message });
});
