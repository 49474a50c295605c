import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { recordedAs } from "../../helpers/service/recorded.ts";
import { askDemo, UUID } from "../ask.ts";

describe("networks", () => {
  const BASE = "/networks/evm%3Abase";

  test("lists the networks of every relayer, in pages", async () => {
    const { items, json } = await askDemo()("GET", "/networks?per_page=100");
    const ids = items.map(({ id }) => id);
    for (const { network_type, network } of seedState("demo").relayers.all())
      expect(ids).toContain(`${network_type}:${network}`);
    expect(json?.pagination).toEqual({ current_page: 1, per_page: 100, total_items: items.length });
  });

  test("returns a network whose ID has a colon, with unmasked RPC URLs", async () => {
    const { status, data } = await askDemo()("GET", BASE);
    expect(status).toBe(200);
    expect(data).toEqual({
      id: "evm:base",
      name: "base",
      network_type: "evm",
      rpc_urls: [{ url: "https://evm-base.rpc.example.org/v2/ZGVtby1rZXk", weight: 100 }],
      explorer_urls: ["https://evm-base.explorer.example.org"],
      average_blocktime_ms: 2000,
      is_testnet: false,
      tags: ["optimism-based"],
      chain_id: 8453,
      required_confirmations: 1,
      features: ["eip1559"],
      symbol: "ETH",
    });
  });

  test("replaces a network's RPC URLs, as strings or with a weight", async () => {
    const rpc_urls = ["http://127.0.0.1:8545", { url: "http://127.0.0.1:8545/", weight: 5 }];
    const { data } = await askDemo()("PATCH", BASE, { rpc_urls });
    expect(data.rpc_urls).toEqual([{ url: "http://127.0.0.1:8545", weight: 100 }, rpc_urls[1]]);
  });

  test.each([
    ["PATCH", "/networks/evm:zz", { rpc_urls: ["http://a.example"] }, 404, "Network with ID 'evm:zz' not found"],
    ["PATCH", BASE, { rpc_urls: null }, 400, "At least one field must be provided for update"],
    ["PATCH", BASE, { rpc_urls: "http://a.example" }, 400, "Bad Request"],
    ["PATCH", BASE, { rpc_urls: [7] }, 400, "Bad Request"],
    ["PATCH", BASE, { rpc_urls: [{ url: "http://a.example", weight: 256 }] }, 400, "Bad Request"],
    ["PATCH", BASE, { rpc_urls: ["http://a.example"], name: "x" }, 400, "Bad Request"],
    ["PATCH", BASE, [], 400, "Bad Request"],
  ] as const)("%s %s %j is refused with %i %s", async (method, path, body, status, message) => {
    const reply = await askDemo()(method, path, body);
    expect([reply.status, reply.json?.message]).toEqual([status, message]);
  });

  test.each([
    [0, 200],
    [255, 200],
    [-1, 400],
    [1.5, 400],
    [256, 400],
  ])("responds to the weight %d of an RPC URL with %d", async (weight, status) => {
    const rpc_urls = [{ url: "http://127.0.0.1:8545/", weight }];
    expect((await askDemo()("PATCH", BASE, { rpc_urls })).status).toBe(status);
  });
});

describe("notifications", () => {
  const URL = "https://hooks.example.org/new";
  const KEY = "n".repeat(40);

  test("lists notifications in the format of the interface, without keys", async () => {
    const { status, json, text, items } = await askDemo()("GET", "/notifications?page=1&per_page=2");
    expect(status).toBe(200);
    expect(items).toEqual([
      { id: "audit-log", type: "webhook", url: "https://audit.example.org/relayer-events", has_signing_key: false },
      { id: "ops-hook", type: "webhook", url: "https://hooks.example.org/relayers/ops", has_signing_key: true },
    ]);
    expect(json?.pagination).toEqual({ current_page: 1, per_page: 2, total_items: 3 });
    expect(text).not.toContain("demo-signing-key");
  });

  test.each(["?page=-1", "?per_page=1.5", "?page=x"])("rejects the page parameters %s", async (query) => {
    expect((await askDemo()("GET", `/notifications${query}`)).status).toBe(400);
  });

  test("returns a notification by its ID", async () => {
    const ask = askDemo();
    const found = await ask("GET", "/notifications/ops-hook");
    expect(found.data).toEqual({
      id: "ops-hook",
      type: "webhook",
      url: "https://hooks.example.org/relayers/ops",
      has_signing_key: true,
    });
  });

  test("creates a notification with the given ID", async () => {
    const ask = askDemo();
    const body = { id: "pager", type: "webhook", url: URL, signing_key: KEY };
    const { status, json, text } = await ask("POST", "/notifications", body);
    expect(status).toBe(201);
    expect(json).toEqual({
      success: true,
      data: { id: "pager", type: "webhook", url: URL, has_signing_key: true },
      error: "",
      metadata: { logs: [], traces: [] },
    });
    expect(text).not.toContain(KEY);
    expect((await ask("GET", "/notifications")).items).toHaveLength(4);
  });

  test("generates a UUID if there is no ID", async () => {
    const { status, data } = await askDemo()("POST", "/notifications", { url: URL });
    expect(status).toBe(201);
    expect(data).toEqual({ id: UUID, type: "webhook", url: URL, has_signing_key: false });
  });

  test("leaves a notification unchanged if another is created with the same ID", async () => {
    const ask = askDemo();
    expect((await ask("POST", "/notifications", { id: "ops-hook", url: URL })).status).toBe(409);
    expect((await ask("GET", "/notifications/ops-hook")).data.url).toBe("https://hooks.example.org/relayers/ops");
  });

  test.each([{}, { url: null }, { url: URL, id: null }, { url: URL, signing_key: null }, { url: URL, signing_key: 7 }])(
    "refuses to create %j",
    async (body) => {
      const { status, json } = await askDemo()("POST", "/notifications", body);
      expect([status, json?.message]).toEqual([400, "Bad Request"]);
    },
  );

  // interface 4.6, the three rules; null counts as absent (facts 6).
  test.each([
    ["no key", "audit-log", {}, undefined, false],
    ["no key, with a key set before", "ops-hook", {}, "demo-signing-key-of-the-ops-hook-0001", true],
    ["null", "ops-hook", { signing_key: null }, "demo-signing-key-of-the-ops-hook-0001", true],
    ["an empty string", "ops-hook", { signing_key: "" }, "", false],
    ["a string", "ops-hook", { signing_key: KEY }, KEY, true],
    ["a string, with no key set before", "audit-log", { signing_key: KEY }, KEY, true],
  ])("a patch with a signing key of %s", async (_, id, patch, kept, has) => {
    const state = seedState("demo");
    const ask = askDemo({ store: memoryStore(state) });
    const { status, data } = await ask("PATCH", `/notifications/${id}`, patch);
    expect(status).toBe(200);
    expect(data.has_signing_key).toBe(has);
    expect(state.notifications.get(id)?.signing_key).toBe(kept);
  });

  test("changes the URL and keeps the rest", async () => {
    const { data } = await askDemo()("PATCH", "/notifications/ops-hook", { url: URL, type: "webhook" });
    expect(data).toEqual({ id: "ops-hook", type: "webhook", url: URL, has_signing_key: true });
  });

  test.each([{ url: null }, { id: "other" }, { signing_key: 7 }])("refuses to update with %j", async (body) => {
    const { status, json } = await askDemo()("PATCH", "/notifications/ops-hook", body);
    expect([status, json?.message]).toEqual([400, "Bad Request"]);
  });
});

describe("the server", () => {
  test("reports health in one word, without an envelope", async () => {
    const { status, text, headers } = await askDemo()("GET", "/health");
    expect([status, text, headers["content-type"]]).toEqual([200, "OK", undefined]);
  });

  test("reports readiness with its components", async () => {
    const { status, text, headers } = await askDemo()("GET", "/ready");
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(JSON.parse(text)).toMatchObject({
      ready: true,
      status: "healthy",
      components: { system: { status: "healthy" }, redis: { primary_pool: { connected: true } }, queue: {} },
      timestamp: "2026-11-21T03:12:07.000000000+00:00",
    });
  });

  test("lists its metrics, and returns one or all of them", async () => {
    const ask = askDemo();
    const names: string[] = JSON.parse((await ask("GET", "/metrics")).text);
    expect(names).toEqual(JSON.parse(String(recordedAs("metrics").response.body)));
    const one = await ask("GET", "/metrics/requests_total");
    expect(one.headers["content-type"]).toMatch(/^text\/plain/);
    expect(one.text).toMatch(/^# HELP requests_total .+\n# TYPE requests_total counter\nrequests_total 1\n$/);
    expect((await ask("GET", "/debug/metrics/scrape")).text).toContain(`${one.text}# HELP worker_threads`);
    for (const name of names) expect((await ask("GET", `/metrics/${name}`)).status).toBe(200);
    expect((await ask("GET", "/metrics/nope")).json?.message).toBe("Metric not found");
  });
});
