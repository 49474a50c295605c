import type { App } from "../../../src/app.ts";
import { exited, runHere, TOKEN, testApp, type World } from "../../helpers/cli.ts";
import { tokenService, USDC, word } from "../../helpers/erc20-service.ts";
import { refusal } from "../../helpers/service/reply.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { SERVER } from "../../helpers/test-app.ts";
import { type Fleet, watching } from "./watching.ts";

const LINE = "relayers status --watch 5s --retries 0";
const balance = (wei: string, pending = 0) => ({
  network_type: "evm",
  balance: wei,
  pending_transactions_count: pending,
  nonce: "3",
});

function twoRelayers(): Fleet {
  return {
    relayers: [
      { id: "r1", network: "mainnet", network_type: "evm" },
      { id: "r2", network: "mainnet", network_type: "evm" },
    ],
    statuses: { r1: balance("1500000000000000000"), r2: balance("20000000000000000") },
    transactions: {},
  };
}

describe("the balances of a watched fleet", () => {
  test("are read in the background, at a slower pace than the list", async () => {
    const fleet = twoRelayers();
    const watch = await watching(LINE, fleet, { terminal: true });
    await watch.pass(0);
    expect(watch.screen()).toMatch(/^● r1 +active +1\.5 ETH +0 /m);
    await watch.pass(29);
    expect(watch.targets(/\/status$/)).toBe(2);
    expect(watch.targets(/\/relayers\?/)).toBe(6);
    fleet.statuses.r1 = balance("1400000000000000000");
    await watch.pass(2);
    expect(watch.targets(/\/status$/)).toBe(4);
    expect(watch.screen()).toMatch(/^> r1 +active +1\.4 ETH +0 .*\n● r2 +active +0\.02 ETH/m);
    await watch.pass(6);
    expect(watch.screen()).toMatch(/^● r1 +active +1\.4 ETH/m);
    expect((await watch.end()).exitCode).toBe(0);
  });

  test("of a node that hangs hold up neither the list nor another relayer", async () => {
    const fleet = twoRelayers();
    fleet.statuses.r1 = "hangs";
    const watch = await watching(LINE, fleet, { terminal: true });
    await watch.pass(6);
    fleet.relayers[1] = { ...fleet.relayers[1], id: "r2", paused: true };
    await watch.pass(5);
    expect(watch.screen()).toMatch(/^> r2 +paused$/m);
    await watch.pass(30);
    expect(watch.screen()).toMatch(/^! r1 +balance, pending, and nonce unknown: no response in time$/m);
    expect(watch.screen()).toMatch(/^‖ r2 +paused +0\.02 ETH/m);
  });

  test("are reported to be missing where they cannot be read", async () => {
    const fleet = twoRelayers();
    delete fleet.statuses.r1;
    const watch = await watching(LINE, fleet, { terminal: true });
    await watch.pass(1);
    expect(watch.screen()).toMatch(/^! r1 +balance, pending, and nonce unknown: the node does not respond$/m);
  });

  test("are not read with --brief, nor into a pipe unless they are named", async () => {
    const brief = await watching(`${LINE} --brief`, twoRelayers(), { terminal: true });
    const piped = await watching(LINE, twoRelayers());
    const named = await watching(`${LINE} --fields relayer.id,status.balance`, twoRelayers());
    for (const watch of [brief, piped, named]) await watch.pass(1);
    expect([brief, piped, named].map(({ targets }) => targets(/\/status$/))).toEqual([0, 0, 2]);
    expect((await piped.end()).stdout).toContain('"status":null');
    expect((await named.end()).stdout.split("\n")[0]).toBe(
      '{"time":"2026-11-21T03:12:07.000Z","event":"seen","relayer":{"id":"r1"},"status":{"balance":"1500000000000000000"}}',
    );
  });

  test("of more than 100 relayers are not read, which is reported", async () => {
    const relayers = Array.from({ length: 101 }, (_, index) => ({ id: `r${index}` }));
    const watch = await watching(LINE, { relayers, statuses: {}, transactions: {} }, { terminal: true });
    await watch.pass(1);
    expect(watch.targets(/\/status$/)).toBe(0);
    expect(watch.screen()).toContain("of up to 100 relayers are read");
  });

  test("that are named are events when they change", async () => {
    const fleet = twoRelayers();
    const watch = await watching(`${LINE} --fields relayer.id,status.balance --where relayer.id=r2`, fleet);
    await watch.pass(1);
    fleet.statuses.r2 = balance("5");
    await watch.pass(35);
    const { stdout } = await watch.end();
    expect(stdout.trimEnd().split("\n").slice(1)).toEqual([
      '{"time":"2026-11-21T03:12:37.000Z","event":"changed","relayer":{"id":"r2"},"status":{"balance":"5"}}',
    ]);
  });
});

test.each([
  ["that can no longer be read", "--fields relayer.id,status.balance", undefined, "changed"],
  ["that meet a condition now", "--where status.balance<9", balance("5"), "changed"],
  ["that met one before", "--where status.balance>9", balance("5"), "changed"],
])("values %s are an event, and reported on stderr if they are unknown", async (_, line, status, event) => {
  const fleet = twoRelayers();
  // One relayer is shown at first, whatever the condition.
  fleet.statuses.r1 = balance("5");
  const watch = await watching(`${LINE} ${line}`, fleet);
  if (status) fleet.statuses.r2 = status;
  else delete fleet.statuses.r2;
  await watch.pass(35);
  const { stdout, stderr } = await watch.end();
  expect(stdout.trimEnd().split("\n").at(-1)).toContain(`"event":"${event}","relayer":{"id":"r2"`);
  expect(stderr.includes("note: status of r2 not known: ")).toBe(!status);
});

describe("a watch on a terminal", () => {
  test("marks what changed for five seconds, and keeps the log", async () => {
    const fleet = twoRelayers();
    const watch = await watching("relayers status --watch 1m --brief", fleet, { terminal: true });
    await watch.pass(1);
    fleet.relayers[0] = { id: "r1", paused: true };
    await watch.pass(60);
    expect(watch.screen()).toMatch(/^> r1 +paused$/m);
    await watch.pass(5);
    expect(watch.screen()).toContain("\n‖ r1       paused\n");
    expect(watch.screen()).toContain("\n\n03:13:07Z  r1  active → paused\n");
    expect((await watch.end()).left).toMatch(
      /^ {2}RELAYER {2}STATE\n‖ r1 +paused\n[\s\S]*\n\n03:13:07Z {2}r1 {2}active → paused\n$/,
    );
  });

  test("asks a service that refuses by rate less and less often", async () => {
    const fleet = twoRelayers();
    const watch = await watching("relayers status --watch 1s --brief --retries 0", fleet, { terminal: true });
    await watch.pass(1);
    fleet.trouble = refusal(429, "Too Many Requests");
    const before = watch.requests.length;
    await watch.pass(60);
    expect(watch.requests.length - before).toBeLessThan(10);
    expect(watch.screen()).toContain("no response: ");
    delete fleet.trouble;
    await watch.pass(60);
    expect(watch.screen()).toContain("the service is responding again");
  });

  test("escapes what the service says", async () => {
    const fleet = twoRelayers();
    const watch = await watching("relayers status --watch 1s --brief", fleet, { terminal: true });
    await watch.pass(1);
    fleet.relayers[0] = { id: "r\u001b[2J", system_disabled: true, disabled_reason: { type: "\u001b]0;x\u0007" } };
    await watch.pass(2);
    expect(watch.screen()).toContain("r\\u{1b}[2J  added, disabled · \\u{1b}]0;x\\u{7}");
  });
});

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

/** Watches eth-main-1 until the output has its first balance, and then until it has its second. */
async function watch(line: string, [first, second]: readonly [string, string], world: World = {}) {
  let balance = 2_500_000n;
  const erc20 = { usdc: { decimals: 6, addresses: { mainnet: USDC } } };
  const contexts = { prod: { server: "https://prod.example", token: TOKEN, erc20 } };
  const [clock, interrupt] = [steppedClock(), new AbortController()];
  const made = testApp({
    ...{ env: {}, config: { version: 1, current: "prod", contexts }, ...world, clock, interrupt: interrupt.signal },
    service: tokenService({ balanceOf: () => word(balance) }),
  });
  const ended = runHere(made, ["relayers", "status", "eth-main-1", "--watch", "30s", ...line.split(" ")]);
  const until = async (text: string) => {
    while (!made.stdout.text().includes(text)) await turnOfLoop();
  };
  await until(first);
  balance = 7_250_000n;
  for (let passed = 0; passed < 61; passed++) await clock.pass(1_000);
  await until(second);
  interrupt.abort("interrupted");
  return await ended;
}

test("a watch reads ERC-20 balances again, and prints an event for each change of a named field", async () => {
  const ran = await watch("--fields relayer.id,erc20.usdc", ["2500000", "7250000"]);
  const events = ran.stdout.trimEnd().split("\n");
  expect(events.map((line) => JSON.parse(line).erc20.usdc)).toEqual([2_500_000, 7_250_000]);
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a watch on a terminal has a column for each ERC-20 token", async () => {
  const { stdout } = await exited(0, watch("--erc20", ["2.5", "7.25"], { terminal: true }));
  expect(stdout).toContain("USDC");
});

const START = Date.parse("2026-11-21T03:12:07Z");
const minted = (token: string, seconds: number) => ({
  stdout: JSON.stringify({ token, expires_at: new Date(START + seconds * 1_000).toISOString() }),
});
const FAILED = { stdout: "", problem: "it ended with status 1" };
const config = { version: 1 as const, current: "ci", contexts: { ci: { server: SERVER, token_command: ["mint"] } } };

const relayer = { id: "r1", name: "r1", network: "mainnet", network_type: "evm", paused: false, policies: {} };
const record = { id: "t1", relayer_id: "r1", status: "submitted", created_at: "2026-11-21T03:00:00Z", nonce: 1 };

test.each(["relayers list --watch 5s", "relayers status --watch 5s", "tx list r1 --watch 5s"])(
  "%s outlasts a token_command that fails for a while, says so, and shows what changed meanwhile",
  async (line) => {
    const fleet: Fleet = { relayers: [relayer], statuses: { r1: { paused: false } }, transactions: { r1: [record] } };
    const printed = [minted("token-one", 20), FAILED, FAILED, FAILED, minted("token-two", 100_000)];
    let runs = 0;
    const execute: App["execute"] = async () => printed[Math.min(runs++, printed.length - 1)] ?? FAILED;
    const watch = await watching(line, fleet, { env: {}, config, execute });
    await watch.pass(30);
    Object.assign(relayer, { paused: !relayer.paused });
    fleet.transactions.r1 = [{ ...record, status: "mined" }];
    for (let second = 0; second < 180 && runs < printed.length; second += 10) await watch.pass(10);
    await watch.pass(10);
    const tokens = watch.requests.map(({ headers }) => headers.authorization);
    const { exitCode, stdout, stderr } = await watch.end();
    expect({ exitCode, runs }, stderr).toEqual({ exitCode: 0, runs: printed.length });
    expect(stderr).toContain("the token_command of context ci failed: it ended with status 1");
    expect(tokens.at(-1)).toBe("Bearer token-two");
    expect(stdout.trimEnd().split("\n").at(-1)).toContain('"event":"changed"');
  },
);

test.each(["--token-file token", "--header @header"])("a watch reads %s again, and outlasts a gap", async (flag) => {
  const fleet: Fleet = { relayers: [relayer], statuses: { r1: { paused: false } }, transactions: {} };
  const files = { token: "token-one", header: "x-key: token-one" };
  const watch = await watching(`relayers list --watch 5s ${flag}`, fleet, { files });
  const sent = () => JSON.stringify(watch.requests.at(-1)?.headers);
  await watch.pass(30);
  expect(sent()).toContain("token-one");
  Object.assign(files, { token: "", header: "" });
  await watch.pass(30);
  expect(sent()).toContain("token-one");
  Object.assign(files, { token: "token-two", header: "x-key: token-two" });
  await watch.pass(30);
  expect(sent()).toContain("token-two");
  expect(await watch.end()).toMatchObject({ exitCode: 0 });
});

test("a watch runs no header_command again for a file of headers", async () => {
  const contexts = { ci: { server: SERVER, token: "token-one-of-two", header_command: ["headers"] } };
  let runs = 0;
  const execute: App["execute"] = async () => ({ stdout: JSON.stringify({ "x-run": `${++runs}` }) });
  const world = { env: {}, config: { ...config, contexts }, execute, files: { header: "x-key: one" } };
  const fleet: Fleet = { relayers: [relayer], statuses: { r1: { paused: false } }, transactions: {} };
  const watch = await watching("relayers list --watch 5s --header @header", fleet, world);
  await watch.pass(60);
  expect(await watch.end()).toMatchObject({ exitCode: 0 });
  expect(runs).toBe(1);
  expect(watch.requests.at(-1)?.headers).toMatchObject({ "x-run": "1", "x-key": "one" });
});
