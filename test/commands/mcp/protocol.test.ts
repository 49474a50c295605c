import { Client } from "@modelcontextprotocol/client";
import { MAX_LINE_BYTES } from "../../../src/commands/mcp/serve-tools.ts";
import { VERSION } from "../../../src/version.ts";
import { cli, exited, runHere, testApp, type World } from "../../helpers/cli.ts";
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

test("the server reads ahead of a slow reader by few messages only", async () => {
  let [read, written, ahead] = [0, 0, 0];
  const stdinChunks = async function* () {
    for (; read < 200; ahead = Math.max(ahead, ++read - written))
      yield new TextEncoder().encode(`${JSON.stringify(request(read, "ping"))}\n`);
  };
  const made = testApp({ stdinChunks });
  const write = made.app.stdout.write;
  made.app.stdout.write = async (text) => {
    await new Promise(setImmediate);
    written++;
    await write(text);
  };
  await exited(0, runHere(made, ["mcp"]));
  expect([written, ahead]).toEqual([200, expect.toSatisfy((messages: number) => messages <= 16)]);
});

test("a terminal gets a note, and a pipe gets messages only", async () => {
  expect((await cli("mcp", { terminal: true })).stderr).toContain("waiting for messages");
  expect(await cli("mcp", { stdin: "\n" })).toMatchObject({ stdout: "", stderr: "" });
});

const TX = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

/** What the official client and this server said to each other, a message on each line. */
interface Session {
  client: Client;
  lines: string[];
  writes(): number;
  end(): Promise<number>;
}

/** Connects the official client with the server in this process. */
async function connect(mode: "legacy" | "auto" | { pin: string }, flags: readonly string[] = [], world: World = {}) {
  const lines: string[] = [];
  const waiting: string[] = [];
  let wake = () => {};
  let isClosed = false;
  const transport: Parameters<Client["connect"]>[0] = {
    start: async () => {},
    async send(message) {
      lines.push(`> ${JSON.stringify(message)}`);
      waiting.push(`${JSON.stringify(message)}\n`);
      wake();
    },
    async close() {
      isClosed = true;
      wake();
    },
  };
  async function* stdinChunks() {
    for (;;) {
      for (const line of waiting.splice(0)) yield new TextEncoder().encode(line);
      if (isClosed) return;
      if (waiting.length > 0) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  const made = testApp({ ...world, stdinChunks });
  const { app, requests } = made;
  const write = async (text: string | Uint8Array) => {
    lines.push(`< ${String(text).trimEnd()}`);
    await app.stdout.write(text);
    transport.onmessage?.(JSON.parse(String(text)));
  };
  const ended = runHere({ ...made, app: { ...app, stdout: { ...app.stdout, write } } }, ["mcp", ...flags]);
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  const end = async () => {
    await client.close();
    return (await ended).exitCode;
  };
  const session: Session = {
    client,
    lines,
    writes: () => requests.filter(({ method, target }) => method !== "GET" && !target.endsWith("/rpc")).length,
    end,
  };
  return session;
}

describe.each([
  ["2025-11-25", "legacy" as const],
  ["2026-07-28", "auto" as const],
  ["2026-07-28", { pin: "2026-07-28" }],
])("the official client, in version %s (%j)", (version, mode) => {
  test("lists the tools, and accepts what each of them returns by its output schema", async () => {
    const { client, end, writes } = await connect(mode, ["--allow-writes"], { proposals: new Map() });
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: "relayctl" });
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(13);
    const calls: [string, Record<string, unknown>, number][] = [
      ["status", {}, 0],
      ["doctor", { relayers: ["eth-main-1"] }, 13],
      ["find", { thing: "6" }, 0],
      ["get", { kind: "transaction", id: TX }, 0],
      ["wait", { relayer: "eth-main-1", transactions: [TX], seconds: 2 }, 15],
      ["stuck", {}, 0],
      ["plan", {}, 2],
      ["history", {}, 2],
      ["propose_state", { relayer: "eth-main-1", state: "pause" }, 0],
    ];
    for (const [name, given, exitCode] of calls) {
      const result = await client.callTool({ name, arguments: given });
      expect([name, result.structuredContent]).toMatchObject([name, { exit_code: exitCode }]);
      expect(result.isError === true).toBe(exitCode === 2);
    }
    await expect(client.callTool({ name: "approve", arguments: {} })).rejects.toMatchObject({ code: -32602 });
    expect([await end(), writes()]).toEqual([0, 0]);
  });

  test("speaks as recorded", async () => {
    const { client, lines, end } = await connect(mode);
    await client.callTool({ name: "find", arguments: { thing: "6" } });
    await client.callTool({ name: "find", arguments: {} });
    expect(await end()).toBe(0);
    const recorded = lines.join("\n").replaceAll(`"version":"${VERSION}"`, '"version":"VERSION"');
    await expect(`${recorded}\n`).toMatchFileSnapshot(`client/${version}.txt`);
  });
});
