import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { askDemo } from "../ask.ts";

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
  expect((await ask("PATCH", "/relayers/sol-pay", { policies: { disallowed_accounts: [account] } })).status).toBe(400);
});
