import { askDemo } from "../ask.ts";

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
