import { refusal } from "../../helpers/service/reply.ts";
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
