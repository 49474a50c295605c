import { cli, exits, SERVER, says, TOKEN } from "../../helpers/cli.ts";
import { DEEP } from "../../helpers/deep.ts";
import { TEST_TIME } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { pageReply, refusal, success, wholeList } from "../../helpers/service/reply.ts";
import { lost } from "../../helpers/service/scripted-service.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { shownTop } from "./shown-top.ts";

describe("top is refused, with the command that gives the same as text,", () => {
  test.each([
    ["in a pipe", { terminal: true, stdoutTerminal: false }, "stdout is not a terminal"],
    ["without a terminal", {}, "no terminal is attached"],
    ["if TERM is dumb", { terminal: true, env: { TERM: "dumb" } }, "TERM=dumb has no full screen"],
    ["for a screen reader", { terminal: true, env: { ACCESSIBLE: "1" } }, "a screen reader gets lines"],
    ["for one of relayctl", { terminal: true, env: { RELAYCTL_ACCESSIBLE: "1" } }, "a screen reader gets lines"],
    ["without prompts", { terminal: true, env: { CI: "1" } }, "CI rules out prompts"],
  ])("%s", async (_, world, why) => {
    const { exitCode, stdout, stderr, requests } = await cli("--demo top base-hot --where relayer.network=base", world);
    expect([exitCode, stdout, requests]).toEqual([2, "", []]);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(`top needs a full-screen terminal: ${why}`);
    expect(stderr.replaceAll(/[\s\\]+/g, " ")).toContain(
      "relayctl --demo relayers status base-hot --watch 2s --where relayer.network=base",
    );
  });

  test("also with another format or an interval that is too short", () =>
    says(2, "--demo top -o json --every 1ms", /"where":"-o"[\s\S]*"where":"--every"/, { terminal: true }));
});

test("the list is shown with the worst first, and q ends it with 0 and gives the screen back", async () => {
  const top = await shownTop("--demo top");
  await top.pass(4);
  expect(top.shown()).toMatch(
    /^demo {3}8 relayers {2}2 ✗ {2}1 ‖ {2}5 ● .*\n +RELAYER +STATE +BALANCE .*\n✗ eth-sepolia/,
  );
  expect(top.shown()).toMatch(/^! eth-main-1 +jammed at 7 +1\.5 ETH/m);
  await top.type("q");
  expect(await top.ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect(top.stdout.text().endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
});

test("--where also selects by values that are read after the list, and not by what top does not read", async () => {
  const top = await shownTop("--demo top --where status.pending_transactions_count>0");
  await top.sees(/^. xlm-treasury/m);
  await top.type("q");
  await top.ended;
  expect(top.shown()).not.toMatch(/^. base-hot/m);
  await says(2, "--demo top --where spend_1d>0", "spend_1d", { terminal: true });
});

test("a signal restores the screen, leaves the last picture readable, and has its exit code", async () => {
  const top = await shownTop("--demo top");
  await top.pass(2);
  top.interrupt.abort("terminated");
  const { exitCode } = await top.ended;
  expect(exitCode).toBe(143);
  const [, after = ""] = top.stdout.text().split("\u001b[?25h\u001b[?1049l");
  expect(after).toMatch(/^demo {3}8 relayers[\s\S]*eth-sepolia/);
  expect(after).not.toContain("\u001b");
});

test("nothing is written while nothing changes, and at most two pictures in any second", async () => {
  const top = await shownTop("--demo top --every 60s");
  await top.sees(/polygon 31 gwei/);
  await top.pass(2);
  const before = top.stdout.text();
  await top.pass(8);
  expect(top.stdout.text()).toBe(before);
  for (const key of ["down", "up", "down", "up", "down"]) await top.type(key);
  const paints = () => top.stdout.text().split("\u001b[?2026h").length;
  const earlier = paints();
  for (let turn = 0; turn < 10; turn++) {
    top.stdout.resize(100 + turn, 20);
    await top.clock.pass(100);
  }
  expect(paints() - earlier).toBeLessThanOrEqual(3);
});

describe("an action", () => {
  test("runs the command with its journal, prints its line, and returns after a key", async () => {
    const top = await shownTop("--demo top");
    await top.type("/", ..."base-hot", "enter");
    await top.type("p");
    expect(top.shown()).toContain("? Pause base-hot in demo? [y/N]");
    expect(top.requests.some(({ method }) => method === "PATCH")).toBe(false);
    await top.type("y");
    await top.sees(/press any key/);
    expect(top.stderr.text()).toContain("$ relayctl --demo relayers pause base-hot");
    expect(top.stderr.text()).toMatch(/base-hot\S* in demo[\s\S]*paused[\s\S]*press any key to return to top\n$/);
    expect(top.requests.filter(({ method }) => method === "PATCH")).toHaveLength(1);
    expect(top.journal.entries.length).toBeGreaterThan(0);
    await top.type("x");
    await top.pass(3);
    expect(top.shown()).toMatch(/^‖ base-hot +paused/m);
    expect(top.shown()).toMatch(/base-hot {2}active → paused/);
    await top.type("escape", "q");
    expect((await top.ended).exitCode).toBe(0);
  });

  test("is canceled by any key but y", async () => {
    const top = await shownTop("--demo top");
    await top.type("p");
    await top.type("enter");
    expect(top.shown()).toContain("Canceled. Nothing was sent.");
    await top.type("q");
    await top.ended;
    expect(top.requests.every(({ method, target }) => method === "GET" || target.endsWith("/rpc"))).toBe(true);
  });

  test("is refused in read-only mode, as everywhere", async () => {
    const env = { RELAYCTL_READONLY: "1" };
    const top = await shownTop("--demo top", { env });
    await top.type("p");
    await top.type("y");
    await top.sees(/press any key/);
    expect(top.stderr.text()).toContain("RELAYCTL_READONLY");
    expect(top.requests.some(({ method }) => method === "PATCH")).toBe(false);
    await top.type("x", "q");
    expect((await top.ended).exitCode).toBe(0);
  });
});

test("a relayer opens with its queue and findings, and a transaction with its record", async () => {
  const top = await shownTop("--demo top", { rows: 30 });
  await top.type("/", ..."main-1", "enter");
  await top.type("enter");
  await top.sees(/NONCE-JAM/);
  expect(top.shown()).toMatch(/\neth-main-1\n +ID +STATUS [\s\S]*submitted[\s\S]*NONCE-JAM/);
  await top.type("down");
  await top.type("enter");
  await top.sees(/verdict/);
  expect(top.shown()).toMatch(/\n6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 · eth-main-1\nid .*[\s\S]*below the base fee/);
  await top.type("escape", "escape", "q", "q");
  expect((await top.ended).exitCode).toBe(0);
});

test("an open relayer shows what it spent today and in the last hour, as far as this machine knows", async () => {
  const [journal, store] = [memoryJournal(), demoStore()];
  const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_JOURNAL: "/journal", LC_ALL: "C.UTF-8" };
  const line = "tx send base-hot --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 3gwei --gas-limit 21000";
  await exits(0, `${line} --speed fast --yes --wait`, { env, journal, store });
  const clock = steppedClock(TEST_TIME + 2 * 3_600_000);
  const service = testServer({ store, clock });
  const top = await shownTop("top base-hot", { rows: 30, env, journal, service }, clock);
  await top.type("enter");
  await top.sees(/spent, as this machine knows/);
  const [, today, hour] = /knows from its journal\n(.*)\n(.*)/.exec(top.shown()) ?? [];
  expect(today).toMatch(/^ {4}today \(UTC\) {2}0\.000000003 ETH, fees 0\.0000\d+ ETH, 1 sent$/);
  expect(hour).toBe("    last hour    0 ETH, fees 0 ETH, 0 sent");
  await top.type("escape", "q");
  expect((await top.ended).exitCode).toBe(0);
});

test("a service that is away is said to be, its picture stays, and its return is an event", async () => {
  let isAway = false;
  const relayers = [{ id: "r1", network: "mainnet", network_type: "evm" }];
  const top = await shownTop("top", {
    service: async ({ target }) => {
      if (isAway) throw lost("connect");
      if (/\/relayers\?/.test(target)) return wholeList(relayers);
      return target.includes("/transactions") ? wholeList([]) : success({ network_type: "evm", balance: "5" });
    },
  });
  await top.pass(2);
  isAway = true;
  await top.pass(6);
  expect(top.shown()).toMatch(/no response since 03:12:\d\dZ: .*\n.*\n● r1 +active/);
  isAway = false;
  await top.pass(6);
  expect(top.shown()).toContain("the service is responding again");
  expect(top.shown()).not.toContain("no response since");
});

test("q ends it at once, although the service has not responded", async () => {
  const relayers = [{ id: "r1", network: "mainnet", network_type: "evm" }];
  const top = await shownTop("top", {
    service: async ({ target }) => (/\/relayers\?/.test(target) ? wholeList(relayers) : await new Promise(() => {})),
  });
  await top.sees(/r1 +active/);
  await top.type("q");
  expect(await Promise.race([top.ended, "still waiting"])).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a service that refuses by rate is asked less often, and the screen says so", async () => {
  let isRefusing = false;
  let reads = 0;
  const top = await shownTop("top", {
    service: async ({ target }) => {
      if (isRefusing) {
        reads++;
        return refusal(429, "Too Many Requests");
      }
      if (/\/relayers\?/.test(target)) return wholeList([{ id: "r1", network: "n", network_type: "solana" }]);
      return target.includes("/transactions") ? wholeList([]) : success({ network_type: "solana" });
    },
  });
  await top.pass(2);
  isRefusing = true;
  await top.pass(60);
  expect(top.shown()).toMatch(/too many requests, slower: every \d+s/);
  expect(reads).toBeLessThan(15);
});

test("thousands of relayers are read within a pace, those in view first, and nothing twice within its interval", async () => {
  const clock = steppedClock();
  const relayers = Array.from({ length: DEEP ? 3_000 : 300 }, (_, index) => ({
    id: `r-${String(index).padStart(4, "0")}`,
    ...{ network: "n", network_type: "solana" },
  }));
  const times: number[] = [];
  const read = new Map<string, number[]>();
  const top = await shownTop(
    "top --every 1s",
    {
      async service({ target }) {
        times.push(clock.elapsed());
        const { pathname } = new URL(target, "http://x");
        const of = read.get(pathname) ?? [];
        read.set(pathname, [...of, clock.elapsed()]);
        await clock.sleep(300);
        if (pathname.endsWith("/transactions")) return wholeList([]);
        if (pathname.endsWith("/status")) return success({ network_type: "solana", pending_transactions_count: 0 });
        return pageReply(relayers, target);
      },
    },
    clock,
  );
  const from = clock.elapsed();
  await top.pass(60);
  const after = times.filter((time) => time > from);
  expect(after.length / 60).toBeLessThan(20);
  for (let second = from; second < from + 60_000; second += 500)
    expect(after.filter((time) => time > second && time <= second + 1_000).length).toBeLessThanOrEqual(20);
  const statuses = [...read].filter(([path]) => path.endsWith("/status"));
  expect(statuses.length).toBeGreaterThan(10);
  expect(statuses.every(([path]) => /r-00[01]\d/.test(path))).toBe(true);
  for (const [, when] of statuses)
    for (const [index, time] of when.entries())
      expect(time - (when[index - 1] ?? -30_000)).toBeGreaterThanOrEqual(30_000);
});
