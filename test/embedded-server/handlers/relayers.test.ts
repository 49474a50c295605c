import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { askDemo, UUID } from "../ask.ts";

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

describe("a creation", () => {
  const BODY = { name: "New", network: "sepolia", network_type: "evm", signer_id: "s-new", paused: false };

  test("responds with 201 and the relayer, and stores the relayer", async () => {
    const ask = askDemo();
    const { status, data } = await ask("POST", "/relayers", BODY);
    expect(status).toBe(201);
    expect(data).toMatchObject({
      ...BODY,
      id: UUID,
      system_disabled: false,
      address: expect.stringMatching(/^0x.{40}$/),
    });
    expect((await ask("GET", `/relayers/${UUID}`)).data).toEqual(data);
  });

  test("stores an ID, policies, and RPC URLs, and masks the URLs", async () => {
    const ask = askDemo();
    const urls = [{ url: "https://rpc.example.org/key", weight: 80 }, { url: "https://b.example.org" }];
    const policies = { min_balance: 5 };
    const { data } = await ask("POST", "/relayers", { ...BODY, id: "new", custom_rpc_urls: urls, policies });
    expect(data).toMatchObject({
      id: "new",
      policies,
      custom_rpc_urls: [
        { url: "https://rpc.example.org/***", weight: 80 },
        { url: "https://b.example.org", weight: 100 },
      ],
    });
  });

  test.each([
    [{ paused: undefined }, 400, "Bad Request"],
    [{ unknown: 1 }, 400, "Bad Request"],
    [{ id: "a.b" }, 400, "Bad Request"],
    [{ policies: { max_fee: 1 } }, 400, "Bad Request"],
    [{ network_type: "stellar" }, 400, "Bad Request"],
    [{ network_type: "stellar", policies: { max_fee: 1 } }, 400, "Bad Request"],
    [{ notification_id: "nothing" }, 404, "Notification with ID 'nothing' not found"],
  ])("refuses %j with %d: %s", async (change, status, message) => {
    const reply = await askDemo()("POST", "/relayers", { ...BODY, ...change });
    expect({ status: reply.status, message: reply.json?.message }).toEqual({ status, message });
  });

  test.each([
    ["stellar", "testnet", /^G[A-Z2-7]{55}$/],
    ["solana", "devnet", /^[1-9A-HJ-NP-Za-km-z]{32,44}$/],
  ])("assigns an address in the format of %s", async (network_type, network, form) => {
    const policies = { fee_payment_strategy: "relayer" };
    const { data } = await askDemo()("POST", "/relayers", { ...BODY, network_type, network, policies });
    expect(data.address).toMatch(form);
  });
});

describe("an update", () => {
  const POLICIES = {
    eip1559_pricing: true,
    gas_limit_estimation: true,
    gas_price_cap: 80000000000,
    min_balance: 500000000000000000,
  };

  // facts 4.5: absent keeps, null clears, a value sets, policies are merged at any depth.
  test.each([
    ["nothing", {}, {}],
    ["a name", { name: "Mainnet one" }, { name: "Mainnet one" }],
    ["pause", { paused: true }, { paused: true }],
    ["a notification", { notification_id: "audit-log" }, { notification_id: "audit-log" }],
    ["no notification", { notification_id: null }, { notification_id: undefined }],
    ["no RPC URLs", { custom_rpc_urls: null }, { custom_rpc_urls: undefined }],
    ["an empty list of RPC URLs", { custom_rpc_urls: [] }, { custom_rpc_urls: [] }],
    [
      "other RPC URLs, as a whole list",
      { custom_rpc_urls: [{ url: "https://u:p@new.example.org/key" }, { url: "http://10.0.0.1:8545", weight: 0 }] },
      {
        custom_rpc_urls: [
          { url: "https://new.example.org/***", weight: 100 },
          { url: "http://10.0.0.1:8545", weight: 0 },
        ],
      },
    ],
    ["no policies", { policies: null }, { policies: undefined }],
    ["an empty policy", { policies: {} }, { policies: POLICIES }],
    ["one policy field", { policies: { gas_price_cap: 7 } }, { policies: { ...POLICIES, gas_price_cap: 7 } }],
    [
      "one cleared policy field",
      { policies: { min_balance: null } },
      { policies: { ...POLICIES, min_balance: undefined } },
    ],
    [
      "a list in the policy",
      { policies: { whitelist_receivers: ["0x52908400098527886E0F7030069857D2E4169EE7"] } },
      { policies: { ...POLICIES, whitelist_receivers: ["0x52908400098527886E0F7030069857D2E4169EE7"] } },
    ],
  ])("applies a patch of %s", async (_, patch, changed) => {
    const ask = askDemo();
    const before = (await ask("GET", "/relayers/eth-main-1")).data;
    const { status, data } = await ask("PATCH", "/relayers/eth-main-1", patch);
    expect(status).toBe(200);
    expect(data).toEqual({ ...before, ...changed });
    expect((await ask("GET", "/relayers/eth-main-1")).data).toEqual({ ...before, ...changed });
  });

  test.each([
    '{"name":null}',
    '{"name":""}',
    '{"custom_rpc_urls":[{"url":"https://rpc.example.org/***"}]}',
    '{"policies":{"max_fee":null}}',
    '{"policies":{"gas_price_cap":-1}}',
    '{"policies":{"__proto__":{"gas_price_cap":1}}}',
    '{"__proto__":{"paused":true}}',
    '{"id":"other"}',
  ])("refuses %s and changes nothing", async (body) => {
    const ask = askDemo();
    const before = (await ask("GET", "/relayers/eth-main-1")).text;
    const reply = await ask("PATCH", "/relayers/eth-main-1", body);
    expect(reply.status).toBe(400);
    expect(reply.text).toBe('{"success":false,"data":null,"message":"Bad Request"}');
    expect((await ask("GET", "/relayers/eth-main-1")).text).toBe(before);
  });

  test("refuses an unknown notification, along with the rest of the patch", async () => {
    const ask = askDemo();
    const reply = await ask("PATCH", "/relayers/eth-main-1", { paused: true, notification_id: "nope" });
    expect(reply.status).toBe(404);
    expect(reply.text).toBe('{"success":false,"data":null,"message":"Notification not found"}');
    expect((await ask("GET", "/relayers/eth-main-1")).data.paused).toBe(false);
  });

  test("keeps every digit of a u128 from the patch to the next read", async () => {
    const ask = askDemo();
    const policy = '"gas_price_cap":340282366920938463463374607431768211455,"min_balance":18446744073709551616';
    const patched = await ask("PATCH", "/relayers/eth-main-1", `{"policies":{${policy}}}`);
    const found = await ask("GET", "/relayers/eth-main-1");
    expect(patched.text).toContain(policy);
    expect(found.text).toContain(policy);
  });

  test("stores the whole URL, although the response masks the URL", async () => {
    const state = seedState("demo");
    const ask = askDemo({ store: memoryStore(state) });
    await ask("PATCH", "/relayers/eth-main-1", {
      custom_rpc_urls: [{ url: "https://new.example.org/v3/secret", weight: 5 }],
    });
    expect(state.relayers.get("eth-main-1")?.custom_rpc_urls).toEqual([
      { url: "https://new.example.org/v3/secret", weight: 5 },
    ]);
  });

  test("changes a relayer that is disabled, and one that is paused", async () => {
    const ask = askDemo();
    expect((await ask("PATCH", "/relayers/eth-sepolia", { paused: true })).data.paused).toBe(true);
    expect((await ask("PATCH", "/relayers/eth-main-2", { paused: false })).data.paused).toBe(false);
  });

  test("merges objects inside a policy, and drops nulls inside a new object", async () => {
    const ask = askDemo();
    const swap = { strategy: "noop", min_balance_threshold: 5 };
    await ask("PATCH", "/relayers/sol-pay", { policies: { swap_config: { ...swap, cron_schedule: null } } });
    const { data } = await ask("PATCH", "/relayers/sol-pay", {
      policies: { swap_config: { min_balance_threshold: null } },
    });
    expect(data).toHaveProperty("policies.swap_config", { strategy: "noop" });
    expect(data).toHaveProperty("policies.max_signatures", 4);
  });

  test.each([
    ["a Stellar relayer without a strategy", "xlm-pay", { policies: { fee_payment_strategy: null } }],
    ["a Stellar relayer without policies", "xlm-pay", { policies: null }],
    [
      "swaps on a Stellar relayer that pays its own fees",
      "xlm-pay",
      { policies: { swap_config: { strategies: ["soroswap"] } } },
    ],
  ])("refuses %s", async (_, id, patch) => {
    const { status, json } = await askDemo()("PATCH", `/relayers/${id}`, patch);
    expect([status, json?.message]).toEqual([400, "Bad Request"]);
  });

  test("validates the resulting policy, not only the patch", async () => {
    const ask = askDemo();
    const account = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
    expect((await ask("PATCH", "/relayers/sol-pay", { policies: { allowed_accounts: [account] } })).status).toBe(200);
    expect((await ask("PATCH", "/relayers/sol-pay", { policies: { disallowed_accounts: [account] } })).status).toBe(
      400,
    );
  });
});
