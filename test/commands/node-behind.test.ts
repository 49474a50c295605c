import type { WireReply, WireRequest } from "../../src/contract/wire.ts";
import { cli, exitedSaying, TOKEN, type World } from "../helpers/cli.ts";
import { reply } from "../helpers/service/reply.ts";
import { type Alteration, ETH, MAIN, NOW, record, ward, well } from "./doctor/sick.ts";

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
