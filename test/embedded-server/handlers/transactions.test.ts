import { serializedTransaction } from "../../contract/solana-transaction.ts";
import { recordedData } from "../../helpers/service/recorded.ts";
import { askDemo, START, stoppedClock, UUID } from "../ask.ts";

const MAIN = "/relayers/eth-main-1/transactions/6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const OF_PAUSED = "/relayers/eth-main-2/transactions/b83e6f10-2d4c-4e9b-a7f5-90c1d2e3f471";

test("returns a transaction with the fields of the interface", async () => {
  const { status, data } = await askDemo()("GET", MAIN);
  expect(status).toBe(200);
  expect(data).toEqual({
    id: "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50",
    relayer_id: "eth-main-1",
    status: "submitted",
    status_reason: null,
    created_at: "2026-11-21T00:08:07.000000000+00:00",
    sent_at: "2026-11-21T00:08:08.000000000+00:00",
    confirmed_at: null,
    hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    from: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    to: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
    value: "200000000000000000",
    data: null,
    nonce: 7,
    gas_limit: 21000,
    gas_price: null,
    max_fee_per_gas: "12500000000",
    max_priority_fee_per_gas: "1000000000",
    speed: "average",
    signature: { r: expect.any(String), s: expect.any(String), v: expect.any(Number), sig: expect.any(String) },
  });
});

test.each([
  ["/relayers/nope/transactions/t1", "Relayer with ID nope not found"],
  ["/relayers/eth-main-1/transactions/t1", "Transaction with ID t1 not found"],
  [OF_PAUSED.replace("eth-main-2", "eth-main-1"), "Transaction with ID b83e6f10-2d4c-4e9b-a7f5-90c1d2e3f471 not found"],
])("does not find %s", async (path, message) => {
  const reply = await askDemo()("GET", path);
  expect([reply.status, reply.json?.message]).toEqual([404, message]);
});

test("finds a relayer's transaction by its nonce", async () => {
  const { data } = await askDemo()("GET", "/relayers/eth-main-1/transactions/by-nonce/7");
  expect(data.id).toBe("6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50");
});

test.each([
  ["/relayers/eth-main-1/transactions/by-nonce/41", 404, "Transaction with nonce 41 not found"],
  ["/relayers/nope/transactions/by-nonce/7", 404, "Relayer with ID nope not found"],
  ["/relayers/sol-pay/transactions/by-nonce/7", 501, "Nonce lookup only supported for EVM networks"],
])("%s is refused with %i %s", async (path, status, message) => {
  const reply = await askDemo()("GET", path);
  expect([reply.status, reply.json?.message]).toEqual([status, message]);
});

const OF_MAIN_1 = "/relayers/eth-main-1/transactions";

async function ids(query: string): Promise<unknown[]> {
  const { items } = await askDemo()("GET", `${OF_MAIN_1}${query}`);
  return items.map(({ status }) => status);
}

test("lists the transactions of one relayer in pages, newest first", async () => {
  const { status, items, json } = await askDemo()("GET", OF_MAIN_1);
  expect(status).toBe(200);
  expect(items.map(({ relayer_id }) => relayer_id)).toEqual(Array(6).fill("eth-main-1"));
  expect(items.map(({ status }) => status)).toEqual([...Array(4).fill("submitted"), "confirmed", "submitted"]);
  expect(json?.pagination).toEqual({ current_page: 1, per_page: 10, total_items: 6 });
  expect(await ids("?page=5&per_page=1")).toEqual(["confirmed"]);
});

test.each([
  ["?status=confirmed", ["confirmed"]],
  ["?status=SUBMITTED", Array(5).fill("submitted")],
  ["?status=failed", []],
  ["?page=0", []],
  ["?page=0&status=confirmed", ["confirmed"]],
])("%s filters by status, without paging", async (query, expected) => expect(await ids(query)).toEqual(expected));

test.each([
  [`${OF_MAIN_1}?status=done`, 400],
  [`${OF_MAIN_1}?status=`, 400],
  [`${OF_MAIN_1}?status=sent&status=failed`, 400],
  ["/relayers/nope/transactions", 404],
])("%s is refused with %i", async (path, status) => expect((await askDemo()("GET", path)).status).toBe(status));

describe("a new transaction", () => {
  const BASE = "/relayers/base-hot/transactions";
  const TO = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
  const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";

  test("accepts a transaction as pending, without nonce, hash, and prices", async () => {
    const { status, data } = await askDemo()("POST", BASE, { to: TO, value: 5, speed: "fast" });
    expect(status).toBe(200);
    expect(data).toEqual({
      ...recordedData("send speed"),
      ...{ id: UUID, relayer_id: "base-hot", created_at: "2026-11-21T03:12:07.000000000+00:00" },
      from: "0x8ba1f109551bd432803012645ac136ddd64dba72",
      ...{ to: TO, value: "5", gas_limit: null, speed: "fast" },
    });
  });

  test("accepts a Stellar and a Solana transaction with the fields of their network types", async () => {
    const ask = askDemo();
    const payment = { type: "payment", destination: ACCOUNT, amount: 1, asset: { type: "native" } };
    const stellar = await ask("POST", "/relayers/xlm-treasury/transactions", {
      network: "mainnet",
      operations: [payment],
    });
    expect(stellar.data).toMatchObject({ status: "pending", source_account: ACCOUNT, fee: 0, sequence_number: 0 });
    const solana = await ask("POST", "/relayers/sol-pay/transactions", {
      transaction: serializedTransaction({ payer: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM" }),
    });
    expect(solana.data).toMatchObject({
      status: "pending",
      hash: null,
      transaction: serializedTransaction({ payer: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM" }),
    });
  });

  // The rules themselves are in test/contract; base-hot caps gas prices at 5 gwei.
  test.each([
    [{ value: 1, speed: "fast" }, "Both txs `to` and `data` fields are missing. At least one of them has to be set."],
    [
      { to: TO, value: 1, speed: "fast", valid_until: "2020-01-01T00:00:00Z" },
      "The validUntil time cannot be in the past",
    ],
    [{ to: TO, value: 1, gas_price: 5_000_000_001 }, "Gas price is too high"],
  ])("refuses %j", async (body, message) => {
    const ask = askDemo();
    const before = (await ask("GET", BASE)).items;
    const reply = await ask("POST", BASE, body);
    expect([reply.status, reply.json?.message]).toEqual([400, message]);
    expect((await ask("GET", BASE)).items).toEqual(before);
  });

  test("a relayer with a whitelist sends to listed receivers, to itself, and to the zero address", async () => {
    const ask = askDemo();
    await ask("PATCH", "/relayers/base-hot", {
      policies: { whitelist_receivers: [TO.toUpperCase().replace("0X", "0x")] },
    });
    const sentTo = async (to: string) => (await ask("POST", BASE, { to, value: 1, speed: "fast" })).status;
    expect(await sentTo(TO)).toBe(200);
    expect(await sentTo("0x8ba1f109551bd432803012645ac136ddd64dba72")).toBe(200);
    expect(await sentTo(`0x${"0".repeat(40)}`)).toBe(200);
    expect(await sentTo("0x70997970c51812dc3a010c7d01b50e0d17dc79c8")).toBe(400);
  });

  test.each(["{}", '{"value":1,"to":"0x12","speed":"fast"}', '{"value":1,"data":"0x","speed":"quick"}', "[]"])(
    "refuses the body %s as malformed",
    async (body) => {
      const reply = await askDemo()("POST", BASE, body);
      expect([reply.status, reply.json?.message]).toEqual([400, "Bad Request"]);
    },
  );

  test.each([
    ["/relayers/nope/transactions", 404, "Relayer with ID nope not found"],
    ["/relayers/eth-main-2/transactions", 403, "Relayer paused"],
    ["/relayers/eth-sepolia/transactions", 403, "Relayer disabled"],
  ])("POST %s is refused with %i", async (path, status, message) => {
    const reply = await askDemo()("POST", path, { to: TO, value: 1, speed: "fast" });
    expect([reply.status, reply.json?.message]).toEqual([status, message]);
  });

  test("new transactions are in the list, newest first", async () => {
    const clock = stoppedClock();
    const ids = ["a", "b"];
    const ask = askDemo({ clock, random: { uuid: () => ids.shift() ?? "", fraction: () => 0 } });
    for (const value of [1, 2]) {
      clock.time += 10;
      await ask("POST", BASE, { to: TO, value, speed: "fast" });
    }
    const { items } = await ask("GET", `${BASE}?per_page=2`);
    expect(items.map(({ id, created_at }) => [id, Date.parse(String(created_at))])).toEqual([
      ["b", START + 20],
      ["a", START + 10],
    ]);
  });
});

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
