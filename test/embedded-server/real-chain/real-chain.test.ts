import { type JsonObject, parseJson, writeJson } from "../../../src/contract/json.ts";
import type { WireRequest } from "../../../src/contract/wire.ts";
import { openRealChain } from "../../../src/embedded-server/real-chain/open.ts";
import { type EmbeddedServer, serverOver } from "../../../src/embedded-server/server.ts";
import { memoryStore, reportingStore } from "../../../src/embedded-server/state/store.ts";
import { createFakeNode } from "./fake-node.ts";

const TOKEN = "a-token-of-these-tests";
const TO = "0x52908400098527886E0F7030069857D2E4169EE7";
const KEY = `0x${"11".repeat(32)}` as const;
const POLL = 250;

let ids = 0;
const random = { uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`, fraction: () => 0.5 };

/** A server whose chain mines, and whose clock moves, only when a test says so. */
async function openServer() {
  const fake = createFakeNode();
  let now = Date.parse("2026-11-28T12:00:00Z");
  let wake = () => {};
  let fellAsleep = () => {};
  const end = new AbortController();
  const sleep = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      fellAsleep();
    });
  const clock = { now: () => now, elapsed: () => now, sleep };
  const keyFile = { load: async () => KEY, save: async () => {} };
  const opened = await openRealChain(
    { node: fake.node, url: "http://127.0.0.1:8545", keyFile, maxValue: 10n ** 18n, opened: async () => {} },
    random,
  );
  const store = reportingStore(memoryStore(opened.state), () => {});
  const serve: EmbeddedServer = serverOver({ token: TOKEN, store, clock, random, dialect: opened.dialect });
  const asleep = new Promise<void>((resolve) => {
    fellAsleep = resolve;
  });
  const worked = opened.work({ store, clock, random, faults: undefined }, end.signal);
  await asleep;
  return {
    ...fake,
    async request(method: WireRequest["method"], path: string, body?: JsonObject) {
      const target = path.startsWith("/api") ? path : `/api/v1/relayers/evm-local${path}`;
      const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
      const { status, text } = await serve({ method, target, headers, ...(body && { body: writeJson(body) }) });
      return { status, ...(parseJson(text) as { data: JsonObject; error: string | null }) };
    },
    /** Lets time pass, and the workers do what is due in it. */
    async pass(seconds: number) {
      for (let passed = 0; passed < seconds * 1000; passed += POLL) {
        now += POLL;
        const next = new Promise<void>((resolve) => {
          fellAsleep = resolve;
        });
        wake();
        await next;
      }
    },
    async close() {
      end.abort();
      wake();
      await worked;
    },
  };
}

let server: Awaited<ReturnType<typeof openServer>>;
beforeEach(async () => {
  server = await openServer();
});
afterEach(async () => await server.close());

const send = (more: JsonObject = {}) =>
  server.request("POST", "/transactions", { to: TO, value: "1000", speed: "fast", ...more });
const read = async (id: unknown) => (await server.request("GET", `/transactions/${String(id)}`)).data;

test("signs, sends, and confirms what it is asked to send", async () => {
  const { data: accepted } = await send();
  expect(accepted).toMatchObject({ status: "pending", hash: null, nonce: null });
  await server.pass(2);
  const [sent] = server.pool;
  expect(sent).toMatchObject({ nonce: 0n, value: 1000n, to: TO.toLowerCase() });
  expect(await read(accepted.id)).toMatchObject({
    status: "submitted",
    hash: sent?.hash,
    nonce: 0,
    gas_limit: 33_000,
  });
  server.mine();
  await server.pass(13);
  expect(await read(accepted.id)).toMatchObject({ status: "confirmed", hash: sent?.hash });
});

test("shows balance, nonce, and RPC of the chain, and hides what the node says about an error", async () => {
  expect((await server.request("GET", "/balance")).data).toEqual({
    balance: 5_000_000_000_000_000_000n,
    unit: "wei",
  });
  expect((await server.request("GET", "/status")).data).toMatchObject({ balance: "5000000000000000000", nonce: "0" });
  const call = { jsonrpc: "2.0", id: 7, method: "eth_chainId", params: [] };
  expect(await server.request("POST", "/rpc", call)).toMatchObject({ id: 7, result: "0x7a69" });
  const unknown = await server.request("POST", "/rpc", { ...call, method: "txpool_content" });
  expect(unknown.error).toMatchObject({ code: -32_603, description: "RPC error occurred (code: -32601)" });
});

test("prices a replacement twice: what is broadcast is 1.21 times the old price, with a third hash", async () => {
  const { data } = await send();
  server.chain.baseFee = 1n;
  await server.pass(2);
  const first = server.pool[0];
  const { data: replaced } = await server.request("PUT", `/transactions/${String(data.id)}`, {
    to: TO,
    value: "2000",
    gas_limit: 21_000,
    speed: "fast",
  });
  expect(replaced.hash).not.toBe(first?.hash);
  await server.pass(4);
  expect(server.pool).toHaveLength(1);
  const [second] = server.pool;
  expect(second).toMatchObject({ value: 2000n });
  expect(second?.hash).not.toBe(replaced.hash);
  expect(second?.tip).toBe(1_210_000_000n);
  server.mine();
  await server.pass(13);
  expect(await read(data.id)).toMatchObject({ status: "confirmed", hash: second?.hash, value: "0x7d0" });
});

test("a cancellation is mined in place of the payment, and only then the record is canceled", async () => {
  const { data } = await send();
  await server.pass(2);
  const { data: canceled } = await server.request("DELETE", `/transactions/${String(data.id)}`);
  expect(canceled).toMatchObject({ status: "submitted", is_canceled: true, value: "0x0" });
  await server.pass(4);
  expect(server.pool).toMatchObject([{ value: 0n, nonce: 0n }]);
  server.mine();
  await server.pass(13);
  expect(await read(data.id)).toMatchObject({ status: "canceled" });
});

test("a cancellation that comes too late ends as a confirmed payment, with its hash", async () => {
  const { data } = await send();
  await server.pass(2);
  const paid = server.pool[0];
  server.mine();
  await server.request("DELETE", `/transactions/${String(data.id)}`);
  await server.pass(30);
  expect(server.pool).toHaveLength(1);
  expect(await read(data.id)).toMatchObject({ status: "confirmed", is_canceled: true, hash: paid?.hash });
});

test("a fee below the base fee stays submitted, and is sent again after minutes at a higher price", async () => {
  const { data } = await send();
  await server.pass(2);
  const first = server.pool[0];
  server.chain.baseFee = 100n * 10n ** 9n;
  server.mine();
  await server.pass(100);
  expect(await read(data.id)).toMatchObject({ status: "submitted", hash: first?.hash });
  await server.pass(100);
  expect(server.pool).toHaveLength(1);
  expect(server.pool[0]?.fee).toBeGreaterThan(100n * 10n ** 9n);
  server.mine();
  await server.pass(13);
  expect(await read(data.id)).toMatchObject({ status: "confirmed", hash: server.pool[0]?.hash });
});

test("a nonce that another program used fails the record, which says so", async () => {
  server.pool.push({ hash: "0xforeign", nonce: 0n, to: TO, value: 1n, fee: 1n, tip: 1n, block: 101 });
  const { data } = await send();
  await server.pass(3);
  expect(await read(data.id)).toMatchObject({
    status: "failed",
    status_reason: "Nonce 0 consumed externally (on-chain nonce: 1). No matching transaction hash found on-chain.",
  });
});

test("a revert is a failure, and a transaction that a reorganization takes off the chain is submitted again", async () => {
  const { data: first } = await send();
  server.chain.reverts = true;
  await server.pass(2);
  server.mine();
  await server.pass(13);
  expect(await read(first.id)).toMatchObject({ status: "failed" });
  server.chain.reverts = false;
  const { data: second } = await send();
  await server.pass(2);
  server.mine();
  server.chain.height -= 1;
  await server.pass(13);
  expect(await read(second.id)).toMatchObject({ status: "mined" });
  delete server.pool[1]?.block;
  await server.pass(13);
  expect(await read(second.id)).toMatchObject({ status: "submitted" });
});

test("keeps a transaction pending while the node is away, and refuses what needs it", async () => {
  server.chain.isAway = true;
  const { data } = await send();
  await server.pass(5);
  expect(await read(data.id)).toMatchObject({ status: "pending", nonce: null });
  expect(await server.request("GET", "/balance")).toMatchObject({ status: 500 });
  server.chain.isAway = false;
  await server.pass(15);
  expect(await read(data.id)).toMatchObject({ status: "submitted", nonce: 0 });
});

test("an invalid receiver takes a nonce, fails after two minutes, and its nonce is filled", async () => {
  const { data } = await send({ to: "0x1234" });
  await server.pass(3);
  expect(await read(data.id)).toMatchObject({ status: "pending", nonce: 0, hash: null });
  const { data: behind } = await send();
  await server.pass(3);
  server.mine();
  expect(await read(behind.id)).toMatchObject({ status: "submitted", nonce: 1 });
  await server.pass(220);
  expect(await read(data.id)).toMatchObject({ status: "failed" });
  server.mine();
  await server.pass(13);
  expect(await read(behind.id)).toMatchObject({ status: "confirmed" });
});

test("refuses more than its limit, and any other relayer or signer", async () => {
  expect(await send({ value: "1000000000000000001" })).toMatchObject({ status: 400 });
  expect(await send({ value: "1000000000000000000" })).toMatchObject({ status: 200 });
  for (const path of ["/api/v1/relayers", "/api/v1/signers"])
    expect(await server.request("POST", path, {})).toMatchObject({
      status: 400,
      error: expect.stringContaining("one relayer"),
    });
});

test("signs messages as wallets do", async () => {
  const { data } = await server.request("POST", "/sign", { message: "hello" });
  expect(data).toMatchObject({ v: expect.any(Number), r: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(data).not.toEqual((await server.request("POST", "/sign", { message: "hello!" })).data);
});

test("does not open with a new key that its file cannot keep", async () => {
  const { node } = createFakeNode();
  const keyFile = { load: async () => undefined, save: () => Promise.reject(new Error("the disk is full")) };
  const opened = vi.fn(async () => {});
  const opening = openRealChain({ node, url: "http://127.0.0.1:8545", keyFile, maxValue: 1n, opened }, random);
  await expect(opening).rejects.toThrow("the disk is full");
  expect(opened).not.toHaveBeenCalled();
});
