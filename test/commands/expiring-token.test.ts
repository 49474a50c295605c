import type { App } from "../../src/app.ts";
import type { Context } from "../../src/config/config.ts";
import { runHere, testApp } from "../helpers/cli.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { reply } from "../helpers/service/reply.ts";

const SERVER = "http://127.0.0.1:8080";
const RELAYER = { id: "r1", name: "r1", network: "mainnet", network_type: "evm", paused: true, policies: {} };

interface Run {
  argv: readonly string[];
  context?: Partial<Context>;
  stdin?: string;
  /** The outputs of the token_command, in their order; the last one stays. */
  printed: readonly { stdout: string; problem?: string }[];
  /** The status of each response, in their order; 200 after the last one. `lost` is a response that does not arrive. */
  statuses?: readonly (number | "lost")[];
}

/** Runs a command line with a token_command, while each request takes a minute. */
async function run({ argv, printed, statuses = [], context = { token_command: ["mint"] }, stdin = "" }: Run) {
  let passed = 0;
  let runs = 0;
  const clock = manualClock();
  const execute: App["execute"] = async () => printed[Math.min(runs++, printed.length - 1)] ?? { stdout: "" };
  const sent: string[] = [];
  const made = testApp({
    env: {},
    config: { version: 1, current: "ci", contexts: { ci: { server: SERVER, ...context } } },
    stdin,
    clock: { ...clock, now: () => clock.now() + passed },
    execute,
    service: async ({ method, target, headers }) => {
      const status = statuses[sent.length] ?? 200;
      const others = Object.keys(headers).filter((name) => name.startsWith("x-"));
      const given = [headers.authorization?.slice(7), ...others.map((name) => headers[name])];
      sent.push([method, target.replace("/api/v1", ""), ...given].join(" "));
      passed += 60_000;
      if (status === "lost") return reply(502, { success: false, data: null, error: "Bad gateway" });
      if (status !== 200) return reply(status, { success: false, data: null, error: "Unauthorized" });
      return reply(200, { success: true, data: RELAYER, error: null });
    },
  });
  return { ...(await runHere(made, argv)), sent, runs: () => runs };
}

/** The output of a program that prints a token that expires so many seconds after the start. */
function minted(token: string, seconds: number) {
  const expires_at = new Date(Date.parse("2026-11-21T03:12:07Z") + seconds * 1_000).toISOString();
  return { stdout: JSON.stringify({ token, expires_at }) };
}

/** Reads nothing before it. */
const UPDATE = ["relayers", "update", "r1", "r2", "r3", "--notification-id", "n1", "--yes", "--concurrency", "1"];

test("a token that expires in a long run is read again before the next request", async () => {
  const { exitCode, sent, runs } = await run({
    argv: UPDATE,
    printed: [minted("token-one", 90), minted("token-two", 100_000)],
  });
  const tokens = sent.map((line) => line.split(" ")[2]);
  expect(tokens.slice(0, 3)).toEqual(["token-one", "token-one", "token-two"]);
  expect(new Set(tokens.slice(2))).toEqual(new Set(["token-two"]));
  expect([exitCode === 0 || exitCode === 12, runs()]).toEqual([true, 2]);
});

test("a write that is refused with 401 is not sent again with another token", async () => {
  const { exitCode, sent } = await run({
    argv: ["relayers", "update", "r1", "--name", "r1"],
    printed: [minted("token-one", 100_000), minted("token-two", 200_000)],
    statuses: [401],
  });
  expect([exitCode, sent]).toEqual([4, ["PATCH /relayers/r1 token-one"]]);
});

test("a token that cannot be read again leaves the outcome of a lost response unknown", async () => {
  const { exitCode, stderr, sent } = await run({
    argv: ["relayers", "update", "r1", "--name", "r1"],
    printed: [minted("token-one", 30), { stdout: "", problem: "it ended with status 1" }],
    statuses: ["lost"],
  });
  expect([exitCode, sent]).toEqual([11, ["PATCH /relayers/r1 token-one"]]);
  expect(stderr).toContain("could not be read back: the token_command of context ci failed: it ended with status 1");
});

test("a lost response is read back with a new token", async () => {
  const { exitCode, sent } = await run({
    argv: ["relayers", "update", "r1", "--name", "r1"],
    printed: [minted("token-one", 30), minted("token-two", 100_000)],
    statuses: ["lost"],
  });
  expect([exitCode, sent]).toEqual([0, ["PATCH /relayers/r1 token-one", "GET /relayers/r1 token-two"]]);
});

test("headers from stdin are sent on, next to those of a command that expire", async () => {
  const headers = (value: string, seconds: number) => {
    const { stdout } = minted("", seconds);
    return { stdout: JSON.stringify({ ...JSON.parse(stdout), token: undefined, "X-Minted": value }) };
  };
  const { exitCode, stderr, sent } = await run({
    argv: ["relayers", "update", "r1", "--name", "r1", "--header", "@-"],
    context: { token: "token-one", header_command: ["mint"] },
    stdin: "X-Consumer: from-stdin\n",
    printed: [headers("minted-one", 30), headers("minted-two", 100_000)],
    statuses: ["lost"],
  });
  expect([exitCode, sent], stderr).toEqual([
    0,
    ["PATCH /relayers/r1 token-one minted-one from-stdin", "GET /relayers/r1 token-one minted-two from-stdin"],
  ]);
});
