import { SIGNER_TYPES } from "../../../src/contract/resources/signer.ts";
import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import { stateFromText, stateToText } from "../../../src/embedded-server/state/state-text.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { askDemo, START, UUID } from "../ask.ts";

const KEY = "5f".repeat(32);
const PLAIN = { id: "hot-2", type: "plain", config: { key: KEY } };

test("lists the signers of the demo's relayers and two that no relayer uses", async () => {
  const ask = askDemo();
  const { items, json } = await ask("GET", "/signers?per_page=100");
  const used = (await ask("GET", "/relayers?per_page=100")).items.map(({ signer_id }) => signer_id);
  const ids = items.map(({ id }) => id);
  expect(used.filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids.filter((id) => !used.includes(id))).toEqual(["old-key", "treasury-kms"]);
  expect(json?.pagination).toMatchObject({ total_items: ids.length });
});

test("a new plain signer is returned as local, and its key is not even kept", async () => {
  const state = seedState("demo");
  const ask = askDemo({ store: memoryStore(state) });
  const { status, data } = await ask("POST", "/signers", PLAIN);
  expect([status, data]).toEqual([201, { id: "hot-2", type: "local", config: {} }]);
  expect((await ask("GET", "/signers/hot-2")).data).toEqual(data);
  expect(stateToText(state)).not.toContain(KEY);
});

const service_account = {
  ...{ private_key: "k", private_key_id: "i", project_id: "project", client_email: "a@example.org", client_id: "100" },
  ...{ auth_uri: "https://a.example.org", token_uri: "https://t.example.org", universe_domain: "googleapis.com" },
  ...{ auth_provider_x509_cert_url: "https://c.example.org", client_x509_cert_url: "https://d.example.org" },
};
const key = { location: "global", key_ring_id: "ring", key_id: "id", key_version: 1 };
const vault = { address: "https://vault.example.org", key_name: "relayer", role_id: "r", secret_id: "s" };

/** A config of each type, and what is returned of it. */
const CONFIGS: Record<(typeof SIGNER_TYPES)[number], [config: object, shown: object]> = {
  plain: [{ key: KEY }, {}],
  aws_kms: [
    { region: "eu-west-1", key_id: "k" },
    { region: "eu-west-1", key_id: "k" },
  ],
  azure_key_vault: [
    { vault_url: "https://v.example.org", key_name: "k", client_secret: "s", tenant_id: "t", client_id: "c" },
    {
      ...{ vault_url: "https://v.example.org", key_name: "k", key_version: null, auth_type: null },
      ...{ tenant_id: "t", client_id: "c", federated_token_file: null },
    },
  ],
  vault: [vault, { address: vault.address, key_name: "relayer", namespace: null, mount_point: null }],
  vault_transit: [
    { ...vault, pubkey: "0x02a1", mount_point: "transit" },
    { address: vault.address, key_name: "relayer", pubkey: "0x02a1", namespace: null, mount_point: "transit" },
  ],
  turnkey: [
    { api_public_key: "02", api_private_key: "s", organization_id: "o", private_key_id: "p", public_key: "03" },
    { api_public_key: "02", organization_id: "o", private_key_id: "p", public_key: "03" },
  ],
  cdp: [
    {
      ...{ api_key_id: "k", api_key_secret: "c2VjcmV0", wallet_secret: "c2VjcmV0" },
      account_address: "0x8ba1f109551bd432803012645ac136ddd64dba72",
    },
    { api_key_id: "k", account_address: "0x8ba1f109551bd432803012645ac136ddd64dba72" },
  ],
  google_cloud_kms: [
    { service_account, key },
    {
      service_account: Object.fromEntries(
        Object.entries(service_account).filter(
          ([name]) => !["private_key", "private_key_id", "client_email"].includes(name),
        ),
      ),
      key,
    },
  ],
};

test.each(SIGNER_TYPES)("creates a signer of type %s, and returns none of its secrets", async (type) => {
  const [config, shown] = CONFIGS[type];
  const { status, data } = await askDemo()("POST", "/signers", { type, config });
  expect(status).toBe(201);
  expect(data).toEqual({ id: expect.any(String), type: type === "plain" ? "local" : type, config: shown });
});

describe("rejects", () => {
  test.each([
    ["an unknown type", { ...PLAIN, type: "keystore" }],
    ["a config of another type", { ...PLAIN, type: "aws_kms" }],
    ["a short key", { ...PLAIN, config: { key: "ab" } }],
    ["an unknown field", { ...PLAIN, name: "hot" }],
    ["a body that is not an object", []],
  ])("%s, and creates nothing", async (_, body) => {
    const ask = askDemo();
    const { status, json } = await ask("POST", "/signers", body);
    expect([status, json?.message]).toEqual([400, "Bad Request"]);
    expect((await ask("GET", "/signers/hot-2")).status).toBe(404);
  });

  test.each([
    ["unknown", {}],
    ["signer-1", { type: "plain" }],
  ])("an update of %s to %j", async (id, body) =>
    expect((await askDemo()("PATCH", `/signers/${id}`, body)).status).toBe(400),
  );
});

test("deletes a signer that no relayer uses, also in the stored state", async () => {
  const state = seedState("demo");
  const ask = askDemo({ store: memoryStore(state) });
  const { status, json } = await ask("DELETE", "/signers/old-key");
  expect([status, json]).toMatchObject([200, { data: "Signer deleted successfully" }]);
  const later = askDemo({ store: memoryStore(stateFromText(stateToText(state))) });
  expect((await later("GET", "/signers/old-key")).status).toBe(404);
});

test("a state that an earlier version stored gets the signers and plugins of the demo", async () => {
  const { signers: _, plugins: __, ...earlier } = JSON.parse(stateToText(seedState("demo")));
  const ask = askDemo({ store: memoryStore(stateFromText(JSON.stringify(earlier))) });
  const lists = await Promise.all([ask("GET", "/signers"), ask("GET", "/plugins")]);
  expect(lists.map(({ items }) => items.length)).toEqual([10, 3]);
});

describe("a signature", () => {
  const HASHES = { domain_separator: "11".repeat(32), hash_struct_message: `0x${"22".repeat(32)}` };
  /** An envelope of Stellar's v1 without signatures. */
  const XDR = btoa("\u0000\u0000\u0000\u0002\u0000\u0000\u0000\u0000");

  test.each([
    ["sign", { message: "hello" }],
    ["sign-typed-data", HASHES],
  ])("%s of an EVM relayer returns a signature, the same for the same message", async (route, body) => {
    const ask = askDemo();
    const { data } = await ask("POST", `/relayers/eth-main-1/${route}`, body);
    expect(data).toEqual({
      r: expect.stringMatching(/^[0-9a-f]{64}$/),
      s: expect.stringMatching(/^[0-9a-f]{64}$/),
      v: expect.toSatisfy((v) => v === 27 || v === 28),
      sig: `${data.r}${data.s}${Number(data.v).toString(16)}`,
    });
    expect((await ask("POST", `/relayers/eth-main-1/${route}`, body)).data).toEqual(data);
  });

  test("signs a transaction, with the field names of each network type", async () => {
    const ask = askDemo();
    const stellar = await ask("POST", "/relayers/xlm-treasury/sign-transaction", { unsigned_xdr: XDR });
    expect(Object.keys(stellar.data)).toEqual(["signedXdr", "signature"]);
    const solana = await ask("POST", "/relayers/sol-pay/sign-transaction", { transaction: "AQAB" });
    expect(Object.keys(solana.data)).toEqual(["transaction", "signature"]);
  });

  test.each([
    ["sol-pay", "sign", { message: "a" }, 400, "Endpoint is not supported for Solana relayers"],
    ["xlm-treasury", "sign", { message: "a" }, 400, "Signing data not supported for Stellar"],
    ["xlm-treasury", "sign-typed-data", HASHES, 400, "Signing typed data not supported for Stellar"],
    ["sol-pay", "sign-transaction", { unsigned_xdr: XDR }, 400, "Invalid request type for Solana relayer"],
    ["xlm-treasury", "sign-transaction", { transaction: "AQAB" }, 400, "Invalid request type for Stellar relayer"],
    ["eth-main-2", "sign", { message: "a" }, 403, "Relayer paused"],
    ["eth-sepolia", "sign", { message: "a" }, 403, "Relayer disabled"],
    ["nothing", "sign", { message: "a" }, 404, "Relayer with ID nothing not found"],
    ["eth-main-1", "sign", {}, 400, "Bad Request"],
  ])("%s %s %j: %d", async (id, route, body, status, message) => {
    const reply = await askDemo()("POST", `/relayers/${id}/${route}`, body);
    expect({ status: reply.status, message: reply.json?.message }).toEqual({ status, message });
  });
});

describe("JSON-RPC", () => {
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
});

const service = () => askDemo({ dialect: openzeppelinDialect({ uuid: () => UUID }) });

test("lists three plugins, and shows each", async () => {
  const ask = askDemo();
  const { items } = await ask("GET", "/plugins");
  expect(items.map(({ id }) => id)).toEqual(["rebalance", "report", "sweep"]);
  expect((await ask("GET", "/plugins/report")).data).toEqual({
    id: "report",
    path: "plugins/report/index.ts",
    timeout: { secs: 1, nanos: 0 },
    emit_logs: false,
    emit_traces: false,
    raw_response: false,
    allow_get_invocation: false,
    config: null,
    forward_logs: false,
  });
});

describe.each([
  ["the interface", askDemo],
  ["the real service", service],
])("in the dialect of %s", (_, open) => {
  test("an update changes the fields that it contains, and null changes nothing", async () => {
    const ask = open();
    const { status, data } = await ask("PATCH", "/plugins/rebalance", { timeout: 60, emit_traces: true, config: {} });
    const changed = { timeout: { secs: 60, nanos: 0 }, emit_traces: true, config: {} };
    expect([status, data]).toEqual([200, expect.objectContaining({ ...changed, emit_logs: true })]);
    expect((await ask("PATCH", "/plugins/rebalance", { emit_traces: null, config: null })).data).toMatchObject(changed);
    expect((await ask("GET", "/plugins/rebalance")).data).toMatchObject(changed);
  });

  test.each([
    ["a timeout of 0", { timeout: 0 }],
    ["a timeout in parts", { timeout: { secs: 1 } }],
    ["an unknown field", { path: "plugins/other.ts" }],
    ["a config that is not an object", { config: "base" }],
  ])("an update with %s is rejected", async (_name, body) => {
    const ask = open();
    const before = (await ask("GET", "/plugins/rebalance")).data;
    expect((await ask("PATCH", "/plugins/rebalance", body)).status).toBe(400);
    expect((await ask("GET", "/plugins/rebalance")).data).toEqual(before);
  });

  test("an unknown plugin is not found", async () => {
    const ask = open();
    const replies = [
      await ask("GET", "/plugins/zz"),
      await ask("PATCH", "/plugins/zz", {}),
      await ask("POST", "/plugins/zz/call", {}),
      await ask("GET", "/plugins/zz/call"),
    ];
    for (const { status, text } of replies) expect([status, text]).toEqual([404, expect.stringContaining("id zz")]);
  });

  test("a call returns the plugin's value, and its logs if it emits them", async () => {
    const { status, text } = await open()("POST", "/plugins/rebalance/call", { params: { amount: 5 } });
    const metadata = '{"logs":[{"level":"info","message":"moving 5"}]}';
    expect([status, text]).toEqual([
      200,
      `{"success":true,"data":{"moved":5,"network":"base"},"error":null,"metadata":${metadata}}`,
    ]);
  });

  test("a call keeps every digit, also of a body without params", async () => {
    const { text } = await open()("POST", "/plugins/rebalance/call", '{"amount":12345678901234567890}');
    expect(text).toContain('"moved":12345678901234567890');
  });

  test.each(["/plugins/rebalance/call/quote", "/plugins/rebalance/call?route=/quote"])(
    "GET %s calls a route of a plugin that allows it",
    async (path) => {
      const { status, data } = await open()("GET", path);
      expect([status, data]).toEqual([200, { network: "base", price: "1.5" }]);
    },
  );

  test("GET is rejected unless the plugin allows it", async () => {
    const ask = open();
    expect((await ask("GET", "/plugins/sweep/call")).status).toBe(405);
    await ask("PATCH", "/plugins/sweep", { allow_get_invocation: true });
    expect((await ask("GET", "/plugins/sweep/call")).status).toBe(422);
  });

  test("a failure that a plugin throws has its status and data, and its traces", async () => {
    const { status, json } = await open()("POST", "/plugins/sweep/call", { params: { amount: 2 } });
    expect([status, json]).toEqual([
      422,
      {
        success: false,
        data: { code: "LOW", details: { least: 5 } },
        error: "amount too low",
        metadata: {
          logs: [{ level: "error", message: "too low" }],
          traces: [{ method: "getBalance", amount: 2 }],
        },
      },
    ]);
  });

  test("a plugin that is too slow times out, until its timeout is long enough", async () => {
    const ask = open();
    const { status, json } = await ask("POST", "/plugins/report/call", {});
    const error = "Plugin execution timed out after 1 seconds";
    expect([status, json]).toEqual([504, { success: false, data: { code: "TIMEOUT" }, error }]);
    await ask("PATCH", "/plugins/report", { timeout: 60 });
    expect((await ask("POST", "/plugins/report/call", {})).data).toEqual({ relayers: 8, rows: 42 });
  });

  test("a raw response has no envelope", async () => {
    const ask = open();
    await ask("PATCH", "/plugins/sweep", { raw_response: true });
    expect((await ask("POST", "/plugins/sweep/call", { amount: 9 })).text).toBe('{"swept":9}');
    const { status, text } = await ask("POST", "/plugins/sweep/call", {});
    expect([status, text]).toEqual([422, '{"code":"LOW","details":{"least":5}}']);
  });

  test("a call with a body that is not JSON is rejected in an envelope", async () => {
    const { status, text } = await open()("POST", "/plugins/rebalance/call", "{");
    expect([status, text]).toEqual([400, expect.stringContaining("Invalid JSON: ")]);
  });
});
