import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import { askDemo, UUID } from "../ask.ts";

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
