import { type Transport, TransportFailure } from "../../src/client/transport/transport.ts";
import { NODE_TIMEOUT } from "../../src/timing.ts";
import { cli, exits } from "../helpers/cli.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { refusal, reply } from "../helpers/service/reply.ts";
import { testServer } from "../helpers/service/test-server.ts";

const URL = "--rpc-url https://rpc.example.org";
const UPDATE = `relayers update eth-main-1 ${URL}`;
const CREATE = `relayers create --id new-1 --name New --network mainnet --network-type evm --signer-id signer-new ${URL}`;

/** The embedded server, whose nodes respond as given. */
function withNode(node: Transport): { service: Transport } {
  const demo = testServer();
  return { service: async (request, limits) => await (request.target.endsWith("/rpc") ? node : demo)(request, limits) };
}

/** A node that responds with a result, or with other fields of a response. */
function responding(fields: object): { service: Transport } {
  return withNode(async ({ body = "{}" }) =>
    reply(200, { jsonrpc: "2.0", id: (JSON.parse(body) as { id: number }).id, ...fields }),
  );
}

/** Returns the last line, of a write that was applied. */
async function lastLine(line: string, world: Parameters<typeof cli>[1] = {}): Promise<string | undefined> {
  const { exitCode, stderr } = await cli(line, world);
  expect(stderr).toMatch(/(?:applied|created) in/);
  expect(exitCode).toBe(0);
  return stderr.trimEnd().split("\n").at(-1);
}

describe("after a change of RPC URLs", () => {
  test.each([
    [UPDATE, "note: the new node responds, on chain 1"],
    [`${UPDATE} --rpc-url https://b.example.org`, "note: one of the 2 new nodes responds, on chain 1"],
    ["relayers update eth-main-1 --no-rpc-urls", "note: the node of the network responds, on chain 1"],
    [`networks update evm:polygon ${URL}`, "note: the new node responds, on chain 137"],
  ])("`%s` says which chain the node is on", async (line, expected) => expect(await lastLine(line)).toBe(expected));

  const PASSPHRASE = "Public Global Stellar Network ; September 2015";
  const GENESIS = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

  test.each([
    [
      `relayers update xlm-treasury ${URL}`,
      { passphrase: PASSPHRASE, protocolVersion: 23 },
      `note: the new node responds, on '${PASSPHRASE}'`,
    ],
    [
      `networks update stellar:mainnet ${URL}`,
      { passphrase: PASSPHRASE },
      `note: the new node responds, on '${PASSPHRASE}'`,
    ],
    [
      `relayers update xlm-treasury ${URL}`,
      { passphrase: "Test SDF Network ; September 2015" },
      `warning: the new node is on 'Test SDF Network ; September 2015', but mainnet is '${PASSPHRASE}'`,
    ],
    // No network shows the genesis hash that it should have.
    [`relayers update sol-pay ${URL}`, GENESIS, `note: the new node responds, on '${GENESIS}'`],
  ])("`%s` shows the chain of Stellar or Solana: %j", async (line, result, expected) => {
    const methods: string[] = [];
    const node: Transport = async ({ body = "{}" }) => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      methods.push(method);
      return reply(200, { jsonrpc: "2.0", id, result });
    };
    expect(await lastLine(line, withNode(node))).toBe(expected);
    expect(methods).toEqual([typeof result === "string" ? "getGenesisHash" : "getNetwork"]);
  });

  test("a relayer that is created with RPC URLs is checked", async () =>
    expect(await lastLine(CREATE, responding({ result: "0x1" }))).toBe("note: the new node responds, on chain 1"));

  test.each([
    [`relayers update eth-main-2 ${URL}`, "note: the new node was not checked: eth-main-2 is paused"],
    [`relayers update xlm-treasury ${URL}`, "note: the new node was not checked: JSON-RPC error"],
    [
      `networks update stellar:testnet ${URL}`,
      "note: the new node was not checked: no active relayer uses the RPC URLs of stellar:testnet",
    ],
  ])("`%s` says why the node was not checked", async (line, expected) => {
    expect(await lastLine(line)).toContain(expected);
  });

  test.each<[string, { service: Transport }, string]>([
    [
      "is on another chain",
      responding({ result: "0x5" }),
      "warning: the new node is on chain 5, but mainnet is chain 1",
    ],
    [
      "returns an error",
      responding({ error: { code: -33_000, message: "timeout", description: "" } }),
      "warning: the new node does not respond: JSON-RPC error -33000: timeout",
    ],
    ["returns garbage", responding({ result: "<html>" }), "warning: the new node does not respond as a node does: "],
    [
      "returns a huge number",
      responding({ result: `0x${"f".repeat(99)}` }),
      "warning: the new node does not respond as",
    ],
    [
      "returns no JSON",
      withNode(async () => reply(200, "\u001b[31m<html>")),
      "warning: the new node does not respond as",
    ],
    ["fails", withNode(async () => refusal(500, "provider failed")), "warning: the new node does not respond: "],
    ["may not be called", withNode(async () => refusal(401, "Unauthorized")), "note: the new node was not checked: "],
    ["is limited", withNode(async () => refusal(429, "Too Many Requests")), "note: the new node was not checked: "],
    [
      "belongs to a relayer that was paused in the meantime",
      withNode(async () => refusal(403, "Relayer is paused")),
      "note: the new node was not checked: eth-main-1 is paused or disabled",
    ],
  ])("a node that %s changes no exit code", async (_, world, expected) => {
    expect(await lastLine(UPDATE, world)).toContain(expected);
  });

  test("a node's text cannot control the terminal", async () => {
    const hostile = responding({
      error: { code: 1, message: "\u001b[2J\nerror: nothing was applied", description: "" },
    });
    const { stderr } = await cli(UPDATE, hostile);
    expect(stderr).not.toContain("\u001b[2J");
    expect(stderr).not.toMatch(/^error:/m);
  });

  test("a node that hangs is waited for, for five seconds, after the receipt", async () => {
    const limits: (number | undefined)[] = [];
    const world = withNode(async () => {
      throw new TransportFailure("timeout", "no response in time", { sent: true });
    });
    const clock = manualClock();
    const sleep: typeof clock.sleep = async (time, signal) => {
      limits.push(time);
      return await clock.sleep(time, signal);
    };
    expect(await lastLine(UPDATE, { ...world, clock: { ...clock, sleep } })).toMatch(
      /^warning: the new node does not respond: /,
    );
    expect(limits).toContain(NODE_TIMEOUT);
  });

  test("an interrupt ends the check, silently", async () => {
    const stop = new AbortController();
    const world = withNode(async () => {
      stop.abort();
      throw new TransportFailure("interrupted", "interrupted", { sent: true });
    });
    const { stderr, stdout } = await exits(0, UPDATE, { ...world, interrupt: stop.signal });
    expect(stderr).toContain("applied in");
    expect(stderr).not.toContain("node");
    expect(stderr).not.toContain("interrupted");
    expect(stdout).toContain("eth-main-1");
  });

  test("the check is one call, which is sent after the write", async () => {
    const { requests } = await cli(UPDATE);
    const sent = requests.map(({ method, target }) => `${method} ${target}`);
    expect(sent.indexOf("POST /api/v1/relayers/eth-main-1/rpc")).toBeGreaterThan(
      sent.indexOf("PATCH /api/v1/relayers/eth-main-1"),
    );
    expect(sent.filter((each) => each.endsWith("/rpc"))).toHaveLength(1);
  });

  test.each([
    `${UPDATE} --dry-run`,
    `${UPDATE} --curl`,
    `${UPDATE} --quiet`,
    `relayers update eth-main-1 base-hot ${URL} --yes`,
    "relayers update eth-main-1 --name New",
  ])("`%s` calls no node", async (line) => {
    const { requests } = await exits(0, line);
    expect(requests.filter(({ target }) => target.endsWith("/rpc"))).toEqual([]);
  });
});
