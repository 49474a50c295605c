import { type Transport, TransportFailure } from "../../src/client/transport/transport.ts";
import type { WireReply, WireRequest } from "../../src/contract/wire.ts";
import { NODE_TIMEOUT } from "../../src/timing.ts";
import { cli, exitedSaying, exits, TOKEN, type World } from "../helpers/cli.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { refusal, reply } from "../helpers/service/reply.ts";
import { testServer } from "../helpers/service/test-server.ts";
import { type Alteration, ETH, MAIN, NOW, record, ward, well } from "./doctor/sick.ts";

describe("a node that is behind", () => {
  const DROPPED = record("tx-4", 20, { nonce: 4 });
  const NEXT = "relayctl networks update evm:mainnet --rpc-url URL";
  const BEHIND = /is behind, or this clock ahead: its newest block is from 2026-11-21 03:0\d:\d\dZ/;

  const hex = (value: number | bigint) => `0x${value.toString(16)}`;
  const NEWEST = 1_000_000;
  const heightIn = (tag: string) => (/^0x/.test(tag) ? Number(tag) : NEWEST);
  const RESULTS: Readonly<Record<string, unknown>> = {
    eth_chainId: "0x1",
    eth_getTransactionCount: hex(4),
    eth_getBalance: hex(ETH),
    eth_getTransactionByHash: null,
    eth_getTransactionBySenderAndNonce: null,
  };

  /** A node that stands still: its newest block is this old, and what was mined later is not there. */
  function standing(minutes: number) {
    const at = (height: number) => ({
      ...{ number: hex(height), timestamp: hex(NOW / 1000 - minutes * 60 - (NEWEST - height) * 12) },
      ...{ hash: `0x${"1".repeat(64)}`, baseFeePerGas: hex(10n ** 10n), transactions: [] },
    });
    return ({ target, body }: WireRequest, found: WireReply): WireReply => {
      if (!target.endsWith("/rpc")) return found;
      const { method, id, params } = JSON.parse(body ?? "{}");
      const result = method === "eth_getBlockByNumber" ? at(heightIn(params[0])) : RESULTS[method];
      return result === undefined ? found : reply(200, { jsonrpc: "2.0", id, result });
    };
  }

  async function run(line: string, transactions = [DROPPED], minutes = 5, relayers = [well()]) {
    const { world } = ward({ relayers, more: { transactions }, alter: standing(minutes) });
    return await cli(line, { ...world, ...(line.startsWith("tx get") && { terminal: true, columns: 200 }) });
  }

  test.each([
    ["tx stuck r1 -o json", 0],
    ["tx get r1 tx-4 --color never", 0],
    ["relayers unstick r1 --dry-run -o json", 0],
    ["relayers unstick r1 --yes", 6],
  ])("is what %s says, and the next command is about the node", async (line, exitCode) => {
    const ran = await run(line);
    const all = ran.stdout + ran.stderr;
    expect(ran.exitCode, all).toBe(exitCode);
    expect(all).toMatch(BEHIND);
    expect(all).toContain(NEXT);
    expect(all).not.toMatch(/tx bump|does not have it|dropped/);
    expect(ran.writes).toEqual([]);
  });

  test("is what doctor finds, in place of a transaction that the node does not have", async () => {
    const { findings } = JSON.parse((await run("doctor -o json")).stdout);
    const codes = findings.map(({ code }: { code: string }) => code);
    expect(codes).toContain("RPC-BEHIND");
    expect(codes.filter((code: string) => /^(?:TX-PHANTOM|NONCE-)/.test(code))).toEqual([]);
  });

  test("is named as the user's own by doctor, which does not suggest to change the service", async () => {
    const { world } = ward({});
    const asked = standing(5);
    const nodes: World["nodes"] = {
      "http://127.0.0.1:8545": async (request) => asked({ ...request, target: "/rpc" }, reply(404, "")),
    };
    const contexts = { prod: { server: "https://prod.example", token: TOKEN } };
    const config = { version: 1 as const, current: "prod", contexts };
    const own = { ...world, nodes, config, env: { RELAYCTL_NODE_MAINNET: "http://127.0.0.1:8545" } };
    const { findings } = JSON.parse((await cli("doctor -o json", own)).stdout);
    const [found] = findings.filter(({ code }: { code: string }) => code === "RPC-BEHIND");
    expect(found.message).toContain("the newest block of your own node is 5m old");
    expect(JSON.stringify(found)).toContain("Set another URL in RELAYCTL_NODE_MAINNET");
    expect(JSON.stringify(found)).not.toContain("update");
  });

  test("hides the nonces of records that read confirmed from audit, which calls none a gap", async () => {
    const confirmed = [record("tx-4", 4, { nonce: 4, status: "confirmed" })];
    const ran = await run("audit r1 --check --since 1h -o json", confirmed);
    expect(JSON.parse(ran.stdout)).toMatchObject([{ nonce: 4, kind: "unreadable" }]);
    expect(ran.stdout).toMatch(BEHIND);
    expect(ran.exitCode, ran.stderr).toBe(12);
    await exitedSaying(12, run("spend r1 --since 1h -o json", confirmed), BEHIND);
  });

  const KNOWN = (fields: object) => [record("tx-4", 4, { nonce: 4, hash: `0x${"4".repeat(64)}`, ...fields })];

  test.each([
    ["failed", { status_reason: "it was given up" }],
    ["expired", {}],
    ["confirmed", {}],
    ["submitted", { is_canceled: true, to: MAIN, value: "0" }],
  ])("does not show that a transaction ended whose record reads %s", async (status, fields) => {
    for (const line of ["tx get r1 tx-4 --on-chain -o json", "tx wait r1 tx-4 --timeout 20s -o json"]) {
      const ran = await run(line, KNOWN({ status, ...fields }));
      const all = ran.stdout + ran.stderr;
      expect([line, ran.exitCode], all).toEqual([line, status === "submitted" && line.startsWith("tx get") ? 0 : 15]);
      expect(all).toMatch(BEHIND);
      expect(all).not.toContain("nothing of it is on the chain");
    }
  });

  test("raises no alarm about nonces that it has not seen used, and status says that they are not known", async () => {
    const check = async (minutes: number) => {
      const alter: Alteration = (request, found) => {
        if (!request.target.endsWith("/status")) return standing(minutes)(request, found);
        const { data, ...rest } = JSON.parse(Buffer.from(found.body).toString());
        return reply(200, { ...rest, data: { ...data, nonce: "9" } });
      };
      return await cli("relayers status --check --crit nonce_drift>2", ward({ alter }).world);
    };
    const behind = await check(5);
    expect([behind.exitCode, behind.stderr]).toEqual([9, expect.stringMatching(BEHIND)]);
    expect((await check(1)).exitCode).toBe(13);
  });

  test("shows no spending, which would be too low", async () => {
    const ran = await run("relayers status --fields relayer.id,spend_1d -o json");
    expect(JSON.parse(ran.stdout)).toEqual([{ relayer: { id: "r1" }, spend_1d: null }]);
    expect(ran.stderr).toMatch(BEHIND);
  });

  test("is one only if its newest block is older than usual", async () => {
    const stuck = JSON.parse((await run("tx stuck r1 -o json", [DROPPED], 1)).stdout);
    expect(stuck).toMatchObject([{ code: "dropped", next: "relayctl tx bump r1 tx-4 --speed fastest" }]);
    const confirmed = [record("tx-4", 4, { nonce: 4, status: "confirmed" })];
    const ran = await run("audit r1 --check --since 1h -o json", confirmed, 1);
    expect([ran.exitCode, JSON.parse(ran.stdout)[0]?.kind]).toEqual([13, "gap"]);
  });

  test("is replaced in the relayer that has its own", async () => {
    const own = well({ custom_rpc_urls: [{ url: "https://node.example.org", weight: 100 }] });
    const ran = await run("tx stuck r1 -o json", [DROPPED], 5, [own]);
    expect(JSON.parse(ran.stdout)).toMatchObject([
      { code: "node_behind", next: "relayctl relayers update r1 --rpc-url URL" },
    ]);
  });
});

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
