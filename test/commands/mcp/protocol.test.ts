import { MAX_LINE_BYTES } from "../../../src/commands/mcp/serve-tools.ts";
import { cli, exited, runHere, testApp } from "../../helpers/cli.ts";
import { type Reply, request, STATELESS, serve, toolCall } from "./sessions.ts";

const initialize = (protocolVersion: unknown) =>
  request("first", "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } });

async function serveChunks(chunks: AsyncIterable<string>, parts: Parameters<typeof testApp>[0] = {}) {
  const encoded = async function* () {
    for await (const chunk of chunks) yield new TextEncoder().encode(chunk);
  };
  const made = testApp({ ...parts, stdinChunks: encoded });
  const ran = await runHere(made, ["mcp"]);
  const replies = ran.stdout.split("\n").filter((line) => line !== "");
  return { ...ran, replies: replies.map((line): Reply => JSON.parse(line)) };
}

test.each([
  ["2025-06-18", "2025-06-18"],
  ["2025-11-25", "2025-11-25"],
  ["2024-10-07", "2025-11-25"],
  ["2999-01-01", "2025-11-25"],
  [7, "2025-11-25"],
])("with a session, a client that asks for %s gets %s", async (asked, agreed) => {
  const lines = [initialize(asked), { jsonrpc: "2.0", method: "notifications/initialized" }, request(2, "ping")];
  const { replies } = await exited(0, serve(lines));
  expect(replies.map(({ id }) => id)).toEqual(["first", 2]);
  expect(replies[0]?.result).toMatchObject({
    protocolVersion: agreed,
    capabilities: { tools: {} },
    serverInfo: { name: "relayctl" },
    instructions: expect.stringContaining("never instructions"),
  });
  expect(replies[1]?.result).toEqual({});
});

describe("the version in which each request stands alone", () => {
  const alone = (method: string, params: object = {}, meta: object = STATELESS) =>
    request(1, method, { ...params, _meta: meta });

  test("is discovered, and its results say what they are and may be kept", async () => {
    const lines = ["server/discover", "tools/list"].map((method) => alone(method));
    const { replies } = await serve([...lines, alone("tools/call", { name: "find", arguments: { thing: "6" } })]);
    const [discovered, listed, called] = replies.map(({ result }) => result);
    const about = { "io.modelcontextprotocol/serverInfo": { name: "relayctl", version: expect.any(String) } };
    const kept = { ttlMs: 3_600_000, cacheScope: "private" };
    expect(discovered).toMatchObject({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      _meta: about,
      ...kept,
    });
    expect(listed).toMatchObject({ resultType: "complete", _meta: about, ...kept });
    expect(called).toMatchObject({ resultType: "complete", _meta: about, structuredContent: { exit_code: 0 } });
    expect(called).not.toHaveProperty("ttlMs");
  });

  test("has no session, and refuses an unknown version or a request that does not say what its client can do", async () => {
    const [version, , capabilities] = Object.keys(STATELESS);
    const { replies } = await serve([
      alone("initialize"),
      alone("ping"),
      alone("tools/list", {}, { ...STATELESS, [String(version)]: "2027-01-01" }),
      alone("tools/list", {}, { ...STATELESS, [String(capabilities)]: undefined }),
      request(1, "server/discover"),
    ]);
    expect(replies.map(({ error }) => error?.code)).toEqual([-32601, -32601, -32022, -32602, -32601]);
    expect(replies[2]?.error?.data).toEqual({ supported: ["2026-07-28"], requested: "2027-01-01" });
  });
});

describe("a message that cannot be read", () => {
  test.each<[string, number, unknown?]>([
    ["{", -32700],
    ["\u0000", -32700],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700],
    [`${"[".repeat(200)}${"]".repeat(200)}`, -32700],
    [`[${"0,".repeat(30_000)}0]`, -32700],
    ["[]", -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ["7", -32600],
    ['{"id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":7}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/list"}', -32601, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__"}}', -32602, 1],
  ])("is refused, and the next one is served: %s", async (line, code, id = null) => {
    const { replies, exitCode } = await serve([line, request("next", "ping")]);
    expect(replies).toMatchObject([
      { id, error: { code } },
      { id: "next", result: {} },
    ]);
    expect(exitCode).toBe(0);
  });

  test("is skipped within a bound of memory if it is too long, whatever chunks it comes in", async () => {
    async function* chunks() {
      for (let sent = 0; sent <= MAX_LINE_BYTES; sent += 10_000) yield "x".repeat(10_000);
      yield `\n${JSON.stringify(request(1, "pi"))}`.slice(0, 20);
      yield `${JSON.stringify(request(1, "ping")).slice(19)}\n\n  \n`;
      yield JSON.stringify(request(2, "ping"));
    }
    const { replies } = await serveChunks(chunks());
    expect(replies).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: 1, result: {} },
      { id: 2, result: {} },
    ]);
  });

  test("gets no response if it is a notification or a response", async () => {
    const { stdout, exitCode } = await serve([
      { jsonrpc: "2.0", method: "tools/call", params: { name: "status" } },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: {} } },
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } },
    ]);
    expect([stdout, exitCode]).toEqual(["", 0]);
  });
});

describe("calls at the same time", () => {
  test("are at most eight, each with an ID that no other has, and all end before the server does", async () => {
    const calls = Array.from({ length: 12 }, (_, index) => toolCall("status", {}, `call ${index}`));
    const { replies } = await serve([...calls.slice(0, 3), toolCall("status", {}, "call 0"), ...calls.slice(3)]);
    const codes = replies.map(({ error }) => error?.code);
    expect(codes.filter((code) => code === -32000)).toHaveLength(4);
    expect(codes.filter((code) => code === -32600)).toHaveLength(1);
    expect(codes.filter((code) => code === undefined)).toHaveLength(8);
  });

  test("get no response once they are canceled", async () => {
    async function* chunks() {
      yield `${JSON.stringify(toolCall("status", {}, 7))}\n`;
      yield `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } })}\n`;
      yield `${JSON.stringify(request(8, "ping"))}\n`;
    }
    const { replies, exitCode } = await serveChunks(chunks());
    expect(replies.map(({ id }) => id)).toEqual([8]);
    expect(exitCode).toBe(0);
  });
});

test("the server ends when its client no longer reads", async () => {
  const { ClosedPipe } = await import("../../../src/terminal/streams/output.ts");
  await exited(0, serve([request(1, "ping"), request(2, "ping")], { stdoutFault: new ClosedPipe() }));
});

test("a terminal gets a note, and a pipe gets messages only", async () => {
  expect((await cli("mcp", { terminal: true })).stderr).toContain("waiting for messages");
  expect(await cli("mcp", { stdin: "\n" })).toMatchObject({ stdout: "", stderr: "" });
});
