import { askService } from "./ask-service.ts";

const PATH = "/relayers/evm-1";

test("a relayer has the service's field order, defaults, large numbers, and masked URLs", async () => {
  const { text } = await askService().ask("GET", PATH);
  expect(text).toBe(
    '{"success":true,"data":{"id":"evm-1","name":"Name evm-1","network":"sepolia","network_type":"evm","paused":false,' +
      '"policies":{"min_balance":1,"gas_limit_estimation":true,"gas_price_cap":340282366920938463463374607431768211455,' +
      '"eip1559_pricing":true,"include_revert_data":false},"signer_id":"s1","notification_id":"hook-1",' +
      '"custom_rpc_urls":[{"url":"http://127.0.0.1:8545/***","weight":80},{"url":"http://127.0.0.1:8545","weight":100}],' +
      '"address":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","system_disabled":false},"error":null}',
  );
});

test("unset fields are left out, including policies if all are unset", async () => {
  const { ask } = askService();
  const { data } = await ask("PATCH", PATH, { policies: null, notification_id: null, custom_rpc_urls: null });
  expect(Object.keys(data)).toEqual([
    ...["id", "name", "network", "network_type", "paused", "signer_id", "address", "system_disabled"],
  ]);
});

// Recorded, sections relayers and policies.
test.each([
  ["{}", { name: "Name evm-1" }],
  ['{"name":"New ☂ name"}', { name: "New ☂ name" }],
  ['{"paused":true}', { paused: true }],
  ['{"custom_rpc_urls":[]}', { custom_rpc_urls: [] }],
  [
    '{"custom_rpc_urls":[{"url":"http://user:pass@127.0.0.1:8545/x"}]}',
    { custom_rpc_urls: [{ url: "http://user:pass@127.0.0.1:8545/***", weight: 100 }] },
  ],
  [
    '{"custom_rpc_urls":[{"url":"http://127.0.0.1:8545/***","weight":0}]}',
    { custom_rpc_urls: [{ url: "http://127.0.0.1:8545/***", weight: 0 }] },
  ],
  ['{"policies":{"min_balance":"5"}}', { policies: { min_balance: 5 } }],
  ['{"policies":{"whitelist_receivers":["any words"]}}', { policies: { whitelist_receivers: ["any words"] } }],
])("PATCH %s is accepted", async (body, expected) => {
  const { status, data } = await askService().ask("PATCH", PATH, body);
  expect(status).toBe(200);
  expect(data).toMatchObject(expected);
});

test("a cleared policy is left out or has its default", async () => {
  const { data } = await askService().ask("PATCH", PATH, { policies: { gas_price_cap: null, min_balance: null } });
  expect(data.policies).toEqual({
    min_balance: 1,
    gas_limit_estimation: true,
    eip1559_pricing: true,
    include_revert_data: false,
  });
});

const EVM = "Invalid policy: Bad Request: Invalid EVM policy: ";
const FIELDS =
  "`min_balance`, `gas_limit_estimation`, `gas_price_cap`, `whitelist_receivers`, `eip1559_pricing`, `private_transactions`, `include_revert_data`";

test.each([
  ['{"name":null}', "Invalid result after patch: missing field `name`"],
  ['{"paused":null}', "Invalid result after patch: missing field `paused`"],
  ['{"name":""}', "Name cannot be empty"],
  ['{"paused":"true"}', 'Invalid update request: invalid type: string "true", expected a boolean'],
  [
    '{"nope":1}',
    "Invalid update request: unknown field `nope`, expected one of `name`, `paused`, `policies`, `notification_id`, `custom_rpc_urls`",
  ],
  ["[]", "Invalid update request: invalid length 0, expected struct UpdateRelayerRequestRaw with 5 elements"],
  ['{"policies":{"nope":1}}', `${EVM}unknown field \`nope\`, expected one of ${FIELDS}`],
  ['{"policies":{"max_signatures":3}}', `${EVM}unknown field \`max_signatures\`, expected one of ${FIELDS}`],
  [
    '{"policies":{"gas_price_cap":18446744073709551616}}',
    `${EVM}invalid type: floating point \`1.8446744073709552e+19\`, expected a string containing a u128 number or a u128 integer`,
  ],
  [
    '{"policies":{"gas_price_cap":1.5}}',
    `${EVM}invalid type: floating point \`1.5\`, expected a string containing a u128 number or a u128 integer`,
  ],
  [
    '{"policies":{"gas_price_cap":"340282366920938463463374607431768211456"}}',
    `${EVM}number too large to fit in target type`,
  ],
  ['{"policies":{"gas_price_cap":-1}}', `${EVM}negative value cannot be converted to u128`],
  ['{"policies":{"gas_price_cap":"0x10"}}', `${EVM}invalid digit found in string`],
  ['{"policies":{"gas_price_cap":""}}', `${EVM}cannot parse integer from empty string`],
  ['{"custom_rpc_urls":[{"url":"http://127.0.0.1:8545","weight":101}]}', "RPC URL weight must be in range 0-100"],
  [
    '{"custom_rpc_urls":[{"url":"http://127.0.0.1:8545","weight":300}]}',
    "Invalid update request: invalid value: integer `300`, expected u8",
  ],
  [
    '{"custom_rpc_urls":["http://127.0.0.1:8545"]}',
    'Invalid update request: invalid type: string "http://127.0.0.1:8545", expected struct RpcConfigHelper',
  ],
  [
    '{"custom_rpc_urls":[{"url":"ftp://x"}]}',
    "Invalid RPC URL: ftp://x/[path redacted]: Invalid URL scheme 'ftp': only http and https are allowed",
  ],
])("PATCH %s is refused", async (body, error) => {
  const { ask } = askService();
  const before = (await ask("GET", PATH)).data;
  const { status, text } = await ask("PATCH", PATH, body);
  expect([status, JSON.parse(text)]).toEqual([400, { success: false, data: null, error }]);
  expect((await ask("GET", PATH)).data).toEqual(before);
});

test.each([
  ["zz", "zz"],
  ["", ""],
])("the error for an unknown notification %j shows its ID", async (notification_id, named) => {
  const { status, text } = await askService().ask("PATCH", PATH, { notification_id });
  expect([status, JSON.parse(text).error]).toEqual([404, `Notification with ID '${named}' not found`]);
});

test.each([
  [
    "xlm-treasury",
    '{"policies":{"min_balance":"5"}}',
    'Invalid policy: Bad Request: Invalid Stellar policy: invalid type: string "5", expected u64',
  ],
  [
    "xlm-treasury",
    '{"policies":{"max_fee":4294967296}}',
    "Invalid policy: Bad Request: Invalid Stellar policy: invalid value: integer `4294967296`, expected u32",
  ],
  [
    "xlm-treasury",
    '{"policies":{"fee_payment_strategy":null}}',
    "Invalid relayer policy: Fee payment strategy is required",
  ],
  [
    "xlm-treasury",
    '{"policies":{"fee_payment_strategy":"me"}}',
    "Invalid policy: Bad Request: Invalid Stellar policy: unknown variant `me`, expected `user` or `relayer`",
  ],
  [
    "xlm-treasury",
    '{"policies":null}',
    "Invalid relayer policy: Stellar policy is required. fee_payment_strategy is required",
  ],
  [
    "sol-pay",
    '{"policies":{"max_signatures":256}}',
    "Invalid policy: Bad Request: Invalid Solana policy: invalid value: integer `256`, expected u8",
  ],
  [
    "sol-pay",
    '{"policies":{"max_tx_data_size":65536}}',
    "Invalid policy: Bad Request: Invalid Solana policy: invalid value: integer `65536`, expected u16",
  ],
])("%s: PATCH %s is refused", async (relayer, body, error) => {
  const { status, text } = await askService().ask("PATCH", `/relayers/${relayer}`, body);
  expect([status, JSON.parse(text).error]).toEqual([400, error]);
});

test("a disabled relayer rejects changes, and lists its reasons", async () => {
  const { ask } = askService();
  const { status, text } = await ask("PATCH", "/relayers/xlm-pay", { paused: true });
  expect([status, JSON.parse(text).error]).toEqual([400, "Relayer is disabled"]);
  expect((await ask("GET", "/relayers/xlm-pay")).data.disabled_reason).toMatchObject({
    type: "Multiple",
    details: [{ type: "BalanceCheckFailed" }, { type: "SequenceSyncFailed" }],
  });
});

test("all demo relayers have the policies of their network type", async () => {
  const { items } = await askService().ask("GET", "/relayers?per_page=100");
  expect(items).toHaveLength(9);
  expect(items.filter(({ policies }) => policies === undefined)).toEqual([]);
});

test("networks are returned with complete RPC URLs", async () => {
  const { data } = await askService().ask("GET", "/networks/evm%3Abase");
  expect(data.rpc_urls).toEqual([{ url: "https://evm-base.rpc.example.org/v2/ZGVtby1rZXk", weight: 100 }]);
});
