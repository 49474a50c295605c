import { askDemo, stoppedClock } from "../ask.ts";

const MAIN = "/relayers/eth-main-1/transactions/6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const CONFIRMED = "/relayers/eth-main-1/transactions/0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60";
const STELLAR = "/relayers/xlm-treasury/transactions/4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5";
const SOLANA = "/relayers/sol-pay/transactions/9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3";
const BASE = "/relayers/base-hot/transactions";
const TO = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const NOOP = {
  to: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  value: "0",
  data: "0x",
  gas_limit: 21000,
  speed: "fast",
};

test("a submitted transaction is replaced with a NOOP, and keeps its hash, nonce, and status", async () => {
  const ask = askDemo();
  const before = (await ask("GET", MAIN)).data;
  const { status, data } = await ask("DELETE", MAIN);
  expect(status).toBe(200);
  expect(data).toEqual({
    ...before,
    ...NOOP,
    status_reason: "Transaction canceled by user, replacing with NOOP",
    is_canceled: true,
  });
  expect((await ask("DELETE", MAIN)).data).toEqual(data);
});

test("a submitted transaction is canceled when the NOOP is confirmed, under another hash", async () => {
  const clock = stoppedClock();
  const ask = askDemo({ clock });
  const { hash } = (await ask("DELETE", MAIN)).data;
  clock.time += 60_000;
  const after = (await ask("GET", MAIN)).data;
  expect(after).toMatchObject({ status: "canceled", is_canceled: true, confirmed_at: null });
  expect(after.hash).not.toBe(hash);
});

test("a pending transaction is canceled immediately", async () => {
  const ask = askDemo();
  const { id } = (await ask("POST", BASE, { to: TO, value: 1, speed: "fast" })).data;
  const { data } = await ask("DELETE", `${BASE}/${id}`);
  expect(data).toMatchObject({ status: "canceled", status_reason: "Transaction canceled by user", hash: null, to: TO });
});

test("a transaction with a cancellation in progress is missing from the pending ones, but not from the whole list", async () => {
  const ask = askDemo();
  const idsOf = async (query: string) =>
    (await ask("GET", `/relayers/eth-main-1/transactions${query}`)).items.map(({ status }) => status);
  await ask("DELETE", MAIN);
  expect(await idsOf("?status=submitted")).toEqual(Array(4).fill("submitted"));
  expect(await idsOf("")).toEqual([...Array(4).fill("submitted"), "confirmed", "submitted"]);
});

test.each([
  [
    CONFIRMED,
    400,
    "Invalid transaction state for cancel_transaction. Current: Confirmed, Expected one of: [Pending, Sent, Submitted]",
  ],
  ["/relayers/eth-main-1/transactions/t1", 404, "Transaction with ID t1 not found"],
  ["/relayers/nope/transactions/t1", 404, "Relayer with ID nope not found"],
  ["/relayers/eth-main-2/transactions/t1", 403, "Relayer paused"],
  [SOLANA, 400, "Endpoint is not supported for Solana relayers"],
])("DELETE %s is refused with %i", async (path, status, message) => {
  const reply = await askDemo()("DELETE", path);
  expect([reply.status, reply.json?.message]).toEqual([status, message]);
});

test("a Stellar transaction is returned unchanged", async () => {
  const ask = askDemo();
  const before = (await ask("GET", STELLAR)).data;
  const { status, data } = await ask("DELETE", STELLAR);
  expect([status, data]).toEqual([200, before]);
});

test("the service's bulk call lists the pending transactions, but cancels nothing", async () => {
  const ask = askDemo();
  const { status, data } = await ask("DELETE", "/relayers/eth-main-1/transactions/pending");
  expect(status).toBe(200);
  expect(data).toEqual({
    queued_for_cancellation_transaction_ids: [
      "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50",
      "7c8d9e0f-1a2b-4c3d-9e4f-5a6b7c8d9e0f",
      "1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9",
      "2b3c4d5e-6f70-4182-93a4-b5c6d7e8f90a",
      "3c4d5e6f-7081-4293-a4b5-c6d7e8f90a1b",
    ],
    failed_to_queue_transaction_ids: [],
    total_processed: 5,
  });
  expect((await ask("GET", MAIN)).data).toMatchObject({ status: "submitted", status_reason: null });
});

test.each([
  ["xlm-treasury", 200, 0],
  ["sol-pay", 400, undefined],
])("the bulk call on %s responds with %i", async (relayer, status, total) => {
  const reply = await askDemo()("DELETE", `/relayers/${relayer}/transactions/pending`);
  expect([reply.status, reply.data.total_processed]).toEqual([status, total]);
});
