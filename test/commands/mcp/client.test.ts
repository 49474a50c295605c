import { Client } from "@modelcontextprotocol/client";
import { VERSION } from "../../../src/version.ts";
import { runHere, testApp, type World } from "../../helpers/cli.ts";

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
