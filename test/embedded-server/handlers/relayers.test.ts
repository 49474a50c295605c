import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { askDemo } from "../ask.ts";

const IDS = [
  "base-hot",
  "eth-main-1",
  "eth-main-2",
  "eth-sepolia",
  "polygon-bulk",
  "sol-pay",
  "xlm-pay",
  "xlm-treasury",
];

test("lists relayers in the envelope of the interface", async () => {
  const { status, json } = await askDemo()("GET", "/relayers?per_page=1");
  expect(status).toBe(200);
  expect(json).toEqual({
    success: true,
    data: [
      {
        id: "base-hot",
        name: "Base hot",
        network: "base",
        network_type: "evm",
        address: "0x8ba1f109551bd432803012645ac136ddd64dba72",
        signer_id: "signer-base",
        notification_id: "ops-hook",
        paused: false,
        system_disabled: false,
        custom_rpc_urls: [{ url: "https://base.rpc.example.org/***", weight: 100 }],
        policies: { eip1559_pricing: true, gas_price_cap: 5000000000, min_balance: 50000000000000000 },
      },
    ],
    error: "",
    metadata: { logs: [], traces: [] },
    pagination: { current_page: 1, per_page: 1, total_items: 8 },
  });
});

test.each([
  ["", 1, 10, IDS],
  ["?page=1&per_page=3", 1, 3, IDS.slice(0, 3)],
  ["?page=3&per_page=3", 3, 3, IDS.slice(6)],
  ["?page=4&per_page=3", 4, 3, []],
  ["?page=0", 0, 10, []],
  ["?per_page=0", 1, 0, []],
  ["?page=0&per_page=0", 0, 0, []],
  ["?page=9007199254740991&per_page=9007199254740991", 9007199254740991, 9007199254740991, []],
  ["?per_page=1000&colour=blue", 1, 1000, IDS],
])("pages with %j", async (query, current_page, per_page, ids) => {
  const { status, text, json, items } = await askDemo()("GET", `/relayers${query}`);
  expect(status).toBe(200);
  expect(text).toContain(`"data":[`);
  expect(items.map(({ id }) => id)).toEqual(ids);
  expect(json?.pagination).toEqual({ current_page, per_page, total_items: 8 });
});

test.each([
  "?page=-1",
  "?page=1.5",
  "?page=1.0",
  "?page=1e3",
  "?page=0x1",
  "?page=",
  "?page=%2B1",
  "?page=one",
  "?page=1&page=2",
  "?per_page=-1",
  "?per_page=ten",
  "?page=9007199254740992",
])("rejects the page parameters %j", async (query) => {
  const { status, text } = await askDemo()("GET", `/relayers${query}`);
  expect(status).toBe(400);
  expect(text).toBe('{"success":false,"data":null,"message":"Bad Request"}');
});

test("an empty service returns an empty list", async () => {
  const { json, text } = await askDemo({ store: memoryStore(seedState("empty")) })("GET", "/relayers");
  expect(text).toContain('"data":[],');
  expect(json?.pagination).toEqual({ current_page: 1, per_page: 10, total_items: 0 });
});

test("returns a relayer by its ID, with the reasons why it is disabled and without pagination", async () => {
  const { status, json, data } = await askDemo()("GET", "/relayers/xlm-pay");
  expect(status).toBe(200);
  expect(json?.pagination).toBeUndefined();
  expect(data.disabled_reason).toEqual({
    type: "Multiple",
    details: [
      { type: "BalanceCheckFailed", details: "Insufficient balance" },
      { type: "SequenceSyncFailed", details: "Sequence synchronization failed" },
    ],
  });
});

test("shows the ID of an unknown relayer", async () => {
  const { status, json } = await askDemo()("GET", "/relayers/eth-main-9");
  expect([status, json?.message]).toEqual([404, "Relayer with ID eth-main-9 not found"]);
});

test("keeps every digit of a cap above 2^64", async () => {
  const { text } = await askDemo()("GET", "/relayers/polygon-bulk");
  expect(text).toContain('"gas_price_cap":340282366920938463463374607431768211455,"min_balance":10000000000000000000,');
});

test.each([
  ["base-hot", [{ url: "https://base.rpc.example.org/***", weight: 100 }]],
  [
    "eth-main-2",
    [
      { url: "https://rpc.example.org/***", weight: 80 },
      { url: "https://backup.example.org", weight: 20 },
    ],
  ],
  ["sol-pay", [{ url: "https://sol.rpc.example.org/***", weight: 100 }]],
  ["eth-sepolia", undefined],
])("masks the RPC URLs of %s", async (id, urls) => {
  const { data } = await askDemo()("GET", `/relayers/${id}`);
  expect(data.custom_rpc_urls).toEqual(urls);
});

test("hides the keys of RPC providers in a list", async () => {
  const { text } = await askDemo()("GET", "/relayers");
  expect(text).not.toMatch(/\/v[23]\/|api-key/);
});

test("deletes a relayer without pending transactions", async () => {
  const ask = askDemo();
  expect(await ask("DELETE", "/relayers/eth-sepolia")).toMatchObject({
    status: 200,
    json: { success: true, data: "Relayer deleted successfully" },
  });
  expect((await ask("GET", "/relayers/eth-sepolia")).status).toBe(404);
  expect((await ask("DELETE", "/relayers/eth-sepolia")).status).toBe(404);
});

test("refuses to delete a relayer with pending transactions", async () => {
  const ask = askDemo();
  expect(await ask("DELETE", "/relayers/eth-main-1")).toMatchObject({
    status: 400,
    json: {
      message:
        "Cannot delete relayer 'eth-main-1' because it has 5 transaction(s). Please wait for all transactions to complete or cancel them before deleting the relayer.",
    },
  });
  expect((await ask("GET", "/relayers/eth-main-1")).status).toBe(200);
});

describe("balances", () => {
  test("are integers of any size with the unit of their network", async () => {
    const ask = askDemo();
    expect((await ask("GET", "/relayers/polygon-bulk/balance")).text).toContain(
      '"data":{"balance":30000000000000000000,"unit":"wei"}',
    );
    expect((await ask("GET", "/relayers/sol-pay/balance")).data).toEqual({ balance: 30000000, unit: "lamport" });
  });

  test("are below the minimum for a relayer that was disabled for its balance", async () =>
    expect((await askDemo()("GET", "/relayers/xlm-pay/balance")).data).toEqual({ balance: 25000000, unit: "stroop" }));

  test("of an unknown relayer are a 404", async () =>
    expect((await askDemo()("GET", "/relayers/nothing/balance")).status).toBe(404));
});

describe("status", () => {
  test.each([
    ["eth-main-1", { network_type: "evm", balance: "1500000000000000000", nonce: expect.stringMatching(/^\d+$/) }],
    ["xlm-treasury", { network_type: "stellar", sequence_number: expect.stringMatching(/^\d{10,}$/) }],
    ["sol-pay", { network_type: "solana", balance: "30000000", paused: false, system_disabled: false }],
  ])("of %s has the fields of its network type", async (id, fields) => {
    expect((await askDemo()("GET", `/relayers/${id}/status`)).data).toMatchObject(fields);
  });

  test("has the number of pending transactions and the time of the last confirmation", async () => {
    const ask = askDemo();
    const { items } = await ask("GET", "/relayers/eth-main-1/transactions?per_page=100");
    const pending = items.filter(({ status }) => ["pending", "sent", "submitted"].includes(String(status)));
    const { data } = await ask("GET", "/relayers/eth-main-1/status");
    expect(data.pending_transactions_count).toBe(pending.length);
    expect(data.last_confirmed_transaction_timestamp).toBe(
      items
        .map((each) => each.confirmed_at)
        .sort()
        .reverse()
        .find(Boolean) ?? null,
    );
  });
});
