import { ClosedPipe } from "../../../../src/terminal/streams/output.ts";
import { cli, exited } from "../../../helpers/cli.ts";
import { DEEP } from "../../../helpers/deep.ts";
import { printedError } from "../../../helpers/exited.ts";
import { manualClock } from "../../../helpers/manual-clock.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { addressOf, eth, PURSE, type ToppingWorld, toppingWorld } from "../../topup/topping-world.ts";
import type { Fault } from "../../tx/once/keyed-world.ts";

const GUARD = "relayers guard purse --pause-if spend_1h>0.15eth --yes --deadline 20m";

const send = (value: string) => `tx send purse --to ${addressOf(1)} --value ${value} --speed fast --yes`;

/** Spends 0.1 ETH, and lets it be mined. */
async function spend(world: ToppingWorld): Promise<void> {
  await world.run(send("0.1eth"));
  await world.pass(60_000);
}

function eventsIn(stdout: string): Record<string, unknown>[] {
  return stdout
    .split("\n")
    .flatMap((line) => (line === "" ? [] : JSON.parse(line)))
    .filter(({ event }) => event !== "guarding");
}

const isUpdate = ({ method, target }: { method: string; target: string }) =>
  method === "PATCH" && /\/relayers\/[^/]+$/.test(target);

test("pauses a relayer that meets a condition, says what can still be mined, and exits with 13", async () => {
  const world = toppingWorld(1);
  await spend(world);
  await spend(world);
  await world.run(send("0.01eth"));
  const ran = await exited(13, world.run(`${GUARD} -o ndjson`));
  expect(ran.requests.filter(isUpdate).map(({ body }) => body)).toEqual(['{"paused":true}']);
  expect(ran.stderr).toContain("1 pending transaction can still be mined");
  expect(ran.stderr).toContain("relayers resume purse");
  expect(eventsIn(ran.stdout)).toMatchObject([{ event: "paused", relayer: "purse", pending: 1 }]);
  expect(JSON.parse((await world.run("relayers get purse -o json")).stdout).paused).toBe(true);
  await exited(0, world.run("undo --yes"));
  expect(JSON.parse((await world.run("relayers get purse -o json")).stdout).paused).toBe(false);
});

test("stays until Ctrl-C or the deadline if nothing is met, and changes nothing", async () => {
  const world = toppingWorld(1);
  await spend(world);
  const ran = await exited({ exitCode: 0 }, world.run(GUARD));
  expect(ran.requests.filter(isUpdate)).toEqual([]);
  expect(eventsIn(ran.stdout)).toEqual([]);
  expect(ran.stderr).toContain("guarding 1 relayer in prod until Ctrl-C");
});

test("measures again at its interval, and sees what another client sends meanwhile", async () => {
  const world = toppingWorld(1);
  await spend(world);
  let lists = 0;
  const ran = await world.run(`${GUARD} --every 2m -o ndjson`, async (request, answer) => {
    if (request.target.startsWith("/api/v1/relayers?") && ++lists === 3) await world.run(send("0.1eth"));
    return await answer();
  });
  expect(ran.exitCode).toBe(13);
  expect(lists).toBeGreaterThan(3);
  expect(eventsIn(ran.stdout)).toMatchObject([{ event: "paused", relayer: "purse" }]);
});

test("sees what somebody else spends with the key, without a record of the service or a line of the journal", async () => {
  const world = toppingWorld(1);
  world.sendElsewhere(eth("0.1"));
  await world.pass(60_000);
  let lists = 0;
  const ran = await world.run(`${GUARD} --every 2m -o ndjson`, async (request, answer) => {
    if (request.target.startsWith("/api/v1/relayers?") && ++lists === 3) world.sendElsewhere(eth("0.06"));
    return await answer();
  });
  expect(ran.exitCode).toBe(13);
  expect(lists).toBe(3);
  expect(world.journal.entries.filter((entry) => entry.type === "intent")).toHaveLength(1);
  expect(eventsIn(ran.stdout)).toMatchObject([{ event: "paused", relayer: "purse" }]);
  const rows = JSON.parse((await world.run("audit purse -o json")).stdout);
  expect(rows.map(({ kind }: { kind: string }) => kind)).toEqual(["foreign", "foreign"]);
});

test("keeps guarding the others with --keep, and pauses each once", async () => {
  const world = toppingWorld(2);
  world.extra.set(addressOf(1), eth("0.1"));
  const line =
    "relayers guard b-001 b-002 purse --pause-if balance<1eth --keep --deadline 20m --confirm '3 relayers' -o ndjson";
  const ran = await exited(13, world.run(line));
  expect(eventsIn(ran.stdout).map(({ relayer }) => relayer)).toEqual(["b-001", "b-002"]);
  expect(ran.requests.filter(isUpdate)).toHaveLength(2);
  expect(PURSE).not.toBe(addressOf(1));
});

test("does not pause, and so does not let undo resume, a disabled relayer that somebody paused", async () => {
  const world = toppingWorld(1, { isOff: true });
  const line = "relayers guard purse --pause-if balance<1000eth --yes --deadline 20m --dry-run";
  expect(await world.run(line)).toMatchObject({ writes: [], stderr: expect.not.stringContaining("would pause") });
});

test("shows with --dry-run what it would pause now", async () => {
  const world = toppingWorld(1);
  await spend(world);
  await spend(world);
  const ran = await exited(0, world.run("relayers guard purse --pause-if spend_1h>0.15eth --dry-run"));
  expect(ran.requests.filter(isUpdate)).toEqual([]);
  expect(ran.stderr).toContain("would pause purse: spend_1h>0.15eth (0.2");
  expect(ran.stdout).toContain("PATCH");
});

test("runs a program for each event, and waits for it", async () => {
  const world = toppingWorld(1);
  await spend(world);
  await spend(world);
  const inputs: string[] = [];
  const ran = await world.run(`${GUARD} --on-change ./notify.sh`, undefined, {
    machine: { canRun: () => true },
    execute: async (_, { input = "" }) => {
      inputs.push(input);
      return { stdout: "" };
    },
  });
  expect(ran.exitCode).toBe(13);
  expect(inputs.map((line) => JSON.parse(line))).toMatchObject([{ event: "paused", relayer: "purse" }]);
});

describe("what cannot be measured or paused", () => {
  test.each(["/rpc", "/api/v1/relayers?"])(
    "is reported after five minutes without %s, once, and at the end",
    async (away) => {
      const world = toppingWorld(1);
      let minute = 0;
      const ran = await world.run(`${GUARD} --retries 0 -o ndjson`, async (request, answer) => {
        if (request.target.startsWith("/api/v1/relayers?")) minute++;
        const isAway = request.target.includes(away) && minute > 1 && minute < 12;
        return isAway ? reply(503, { success: false, data: null, error: "away" }) : await answer();
      });
      expect(ran.exitCode, ran.stderr).toBe(0);
      expect(eventsIn(ran.stdout).map(({ event }) => event)).toEqual(["unread", "read"]);
      expect(ran.stderr).toContain("warning: purse is not guarded: not measured for 5 minutes");
    },
  );

  test.each([
    ["the service", "/api/v1/relayers?", 9],
    ["the node", "/rpc", 9],
  ])("ends with the code of the failure if %s is still away at the deadline", async (_, target, exitCode) => {
    const world = toppingWorld(1);
    let requests = 0;
    const away: Fault = async (request, answer) =>
      request.target.includes(target) && ++requests > 10
        ? reply(503, { success: false, data: null, error: "away" })
        : await answer();
    const ran = await exited(exitCode, world.run(`${GUARD} --retries 0`, away));
    expect(ran.stderr).toContain("warning: purse is not guarded");
    const short = await world.run(GUARD.replace("20m", "2m"), async (request, answer) =>
      request.target.endsWith("/rpc") ? reply(503, { success: false, data: null, error: "away" }) : await answer(),
    );
    expect(short.exitCode, short.stderr).toBe(exitCode);
    expect(ran.requests.filter(isUpdate)).toEqual([]);
  });

  test.each([
    ["is refused then", { exitCode: 8, stderr: expect.stringContaining("purse: slowly\n  nothing was sent") }],
    ["would meet a condition", { exitCode: 10, stderr: expect.stringContaining("purse: no response in time") }],
  ])("is an error if the first measurement takes until the deadline, and %s", async (which, ended) => {
    const world = toppingWorld(1);
    await spend(world);
    await spend(world);
    let isLate = false;
    const ran = await world.run(`${GUARD} --retries 0 --timeout 1h`, async (request, answer) => {
      if (!request.target.includes("/rpc")) return await answer();
      if (!isLate) await world.pass(21 * 60_000);
      isLate = true;
      return which === "is refused then" ? reply(429, { success: false, error: "slowly" }) : await answer();
    });
    expect(ran).toMatchObject(ended);
  });

  test("is not called healthy by --dry-run", async () => {
    const world = toppingWorld(1);
    const line = "relayers guard purse --pause-if spend_1h>0.15eth --dry-run";
    const ran = await world.run(line, async (request, answer) =>
      request.target.endsWith("/rpc") ? reply(503, { success: false, data: null, error: "away" }) : await answer(),
    );
    expect(ran.exitCode, ran.stderr).toBe(9);
    expect(ran.stderr).not.toContain("no relayer meets a condition");
  });

  const expired = () => reply(401, { success: false, data: null, error: "expired" });
  const signIn = () => reply(200, "<html>Sign in</html>", { "content-type": "text/html" });
  const keep =
    "relayers guard b-001 purse --pause-if spend_1h>0.15eth --keep --confirm '2 relayers' -o ndjson --deadline";

  test.each([
    ["a refused token", expired],
    ["a sign-in page", signIn],
  ])("is reported at once after %s, and paused once that has ended", async (_, refusal) => {
    const world = toppingWorld(2);
    let lists = 0;
    const ran = await world.run(`${keep} 40m`, async (request, answer) => {
      if (!request.target.startsWith("/api/v1/relayers?") || ++lists === 1) return await answer();
      if (lists === 2) world.sendElsewhere(eth("0.2"));
      return lists < 20 ? refusal() : await answer();
    });
    expect(ran.exitCode, ran.stderr).toBe(13);
    expect(ran.stderr).toContain("the guard ends in 30 minutes unless that changes");
    expect(eventsIn(ran.stdout).map(({ event, relayer }) => `${event} ${relayer}`)).toEqual([
      "unread b-001",
      "unread purse",
      "read b-001",
      "read purse",
      "paused purse",
    ]);
  });

  test("ends the guard after 30 minutes of nothing but refusals, with 13 after a pause", async () => {
    for (const isPaused of [false, true]) {
      const world = toppingWorld(2);
      if (isPaused) world.sendElsewhere(eth("0.2"));
      let lists = 0;
      const ran = await world.run(`${keep} 3h`, async (request, answer) =>
        request.target.startsWith("/api/v1/relayers?") && ++lists > 2 ? expired() : await answer(),
      );
      expect(ran.exitCode, ran.stderr).toBe(isPaused ? 13 : 4);
      expect(ran.stderr.includes("paused: purse")).toBe(isPaused);
      expect(ran.stderr).toContain("expired");
      expect(lists).toBeLessThan(40);
    }
  });

  test("is reported if it was deleted, and the others stay guarded", async () => {
    const world = toppingWorld(2);
    const [deadline, late] = DEEP ? ["2h", 50] : ["20m", 8];
    let lists = 0;
    const ran = await exited(
      13,
      world.run(
        `${keep.replace("b-001", "b-002 b-001").replace("2 r", "3 r")} ${deadline}`,
        async (request, answer) => {
          if (!request.target.startsWith("/api/v1/relayers?")) return await answer();
          if (++lists === 2) await exited(0, world.run("relayers delete b-002 --yes"));
          if (lists === late) world.sendElsewhere(eth("0.2"));
          return await answer();
        },
      ),
    );
    expect(ran.stderr).toContain("warning: b-002 is not guarded: relayer not found: b-002\n");
    expect(eventsIn(ran.stdout).map(({ event, relayer }) => `${event} ${relayer}`)).toEqual([
      "unread b-002",
      "paused purse",
    ]);
  });

  test("counts as paused if the response to its request was lost, and it is seen as paused later", async () => {
    const world = toppingWorld(1);
    await spend(world);
    await spend(world);
    let isLost = false;
    const ran = await world.run(`${GUARD} --retries 0 -o ndjson`, async (request, answer) => {
      if (isUpdate(request)) {
        await answer();
        isLost = true;
        throw lost();
      }
      if (isLost && /relayers\/purse$/.test(request.target))
        return reply(503, { success: false, data: null, error: "" });
      return await answer();
    });
    expect(ran.exitCode, ran.stderr).toBe(13);
    expect(eventsIn(ran.stdout).map(({ event }) => event)).toEqual(["not_paused", "paused"]);
  });

  test("fails at the end if a relayer met a condition, and no request to pause it succeeded", async () => {
    const world = toppingWorld(1);
    await spend(world);
    await spend(world);
    const ran = await world.run(`${GUARD} --retries 0 -o ndjson`, async (request, answer) =>
      isUpdate(request) ? reply(503, { success: false, data: null, error: "never" }) : await answer(),
    );
    expect(ran.exitCode).toBe(11);
    expect(new Set(eventsIn(ran.stdout).map(({ event }) => event))).toEqual(new Set(["not_paused"]));
  });

  const POOR = "--pause-if balance<1eth --keep --deadline 2m --retries 0 -o ndjson";

  test("decides the exit code by a request of unknown outcome, whatever the others end with", async () => {
    const ran = await toppingWorld(2).run(
      `relayers guard b-001 b-002 ${POOR} --confirm '2 relayers'`,
      async (request, answer) => {
        if (isUpdate(request) && request.target.endsWith("b-002")) throw lost();
        return isUpdate(request)
          ? reply(400, { success: false, data: null, error: "Relayer is disabled" })
          : await answer();
      },
    );
    expect(ran.exitCode, ran.stderr).toBe(11);
  });

  test("keeps an unknown outcome although the next request for the same relayer is refused", async () => {
    let updates = 0;
    const ran = await toppingWorld(1).run(`relayers guard b-001 ${POOR} --yes`, async (request, answer) => {
      if (!isUpdate(request)) return await answer();
      if (++updates === 1) throw lost();
      return reply(401, { success: false, data: null, error: "expired" });
    });
    expect([ran.exitCode, updates > 1], ran.stderr).toEqual([11, true]);
  });

  test("is paused at the next measurement if the first request fails", async () => {
    const world = toppingWorld(1);
    await spend(world);
    await spend(world);
    let updates = 0;
    const ran = await world.run(`${GUARD} --retries 0 -o ndjson`, async (request, answer) =>
      isUpdate(request) && ++updates === 1
        ? reply(503, { success: false, data: null, error: "later" })
        : await answer(),
    );
    expect(ran.exitCode).toBe(13);
    expect(eventsIn(ran.stdout).map(({ event }) => event)).toEqual(["not_paused", "paused"]);
  });
});

describe("a guard that measures rarely", () => {
  const line = `${GUARD} --every 1h -o ndjson`;

  test("pauses a relayer within minutes if a first request fails", async () => {
    const world = toppingWorld(1);
    await spend(world);
    await spend(world);
    let updates = 0;
    const ran = await world.run(`${line} --retries 0`, async (request, answer) =>
      isUpdate(request) && ++updates === 1 ? reply(503, { success: false, data: null, error: "" }) : await answer(),
    );
    expect(ran.exitCode, ran.stderr).toBe(13);
    expect(ran.stderr).toContain("and may not be paused");
    expect(eventsIn(ran.stdout).map(({ event }) => event)).toEqual(["not_paused", "paused"]);
  });

  test("measures again within minutes if the service is away, and says at once that nothing was measured", async () => {
    const world = toppingWorld(1);
    let lists = 0;
    const ran = await world.run(`${line} --retries 0`.replace("20m", "3h"), async (request, answer) => {
      const isAway = request.target.startsWith("/api/v1/relayers?") && ++lists > 1 && lists < 4;
      return isAway ? reply(503, { success: false, data: null, error: "away" }) : await answer();
    });
    expect(ran.exitCode, ran.stderr).toBe(0);
    const events = eventsIn(ran.stdout);
    expect(events.map(({ event }) => event)).toEqual(["unread", "read"]);
    const [from = 0, to = 0] = events.map(({ time }) => Date.parse(String(time)));
    expect(to - from).toBeLessThan(5 * 60_000);
  });
});

test("a guard that SIGTERM ends after a pause says what it paused", async () => {
  const interrupt = new AbortController();
  let lists = 0;
  const line = "relayers guard b-001 purse --pause-if balance<0.01eth --keep --deadline 20m --confirm '2 relayers'";
  const ran = await toppingWorld(1).run(
    `${line} -o ndjson`,
    async (request, answer) => {
      if (request.target.startsWith("/api/v1/relayers?") && ++lists === 2) interrupt.abort("terminated");
      return await answer();
    },
    { interrupt: interrupt.signal, clock: manualClock(undefined, interrupt.signal) },
  );
  expect([ran.exitCode, ran.requests.filter(isUpdate).length]).toEqual([143, 1]);
  expect(ran.stderr).toContain("undo: relayctl -c prod relayers resume b-001\n");
  expect(printedError(ran.stderr)).toMatchObject({ applied: "yes", message: expect.stringContaining("paused: b-001") });
});

test("a guard measures again after its question, which may stay open for long", async () => {
  const world = toppingWorld(1);
  await spend(world);
  await spend(world);
  const answers = [() => world.pass(2 * 3_600_000).then(() => true)];
  const ran = await exited(0, world.run(GUARD.replace("--yes", ""), undefined, { terminal: true, answers }));
  expect(ran.requests.filter(isUpdate)).toEqual([]);
});

test("a guard outlives the reader of its events", async () => {
  const world = toppingWorld(1);
  await spend(world);
  await spend(world);
  const ran = await exited(13, world.run(`${GUARD} -o ndjson`, undefined, { stdoutFault: new ClosedPipe() }));
  expect(ran.stderr).toContain("the reader closed the output; the guard continues without printing events");
  expect(ran.requests.filter(isUpdate)).toHaveLength(1);
});

test.each([
  ["a condition in another coin", "polygon-bulk --pause-if spend_1d>2eth", 2, "no condition applies"],
  ["spending of a relayer whose chain shows none", "sol-pay --pause-if spend_1d>2sol", 2, "no condition applies"],
  ["one of several that no condition applies to", "base-hot polygon-bulk --pause-if spend_1d>2eth", 2, "polygon-bulk"],
  ["no condition", "base-hot", 2, "--pause-if"],
  ["an unknown field", "base-hot --pause-if spent>2eth", 2, 'unknown field "spent"'],
  ["no consent", "base-hot --pause-if spend_1d>2eth", 3, "requires confirmation"],
  ["--yes for several", "base-hot eth-main-1 --pause-if spend_1d>2eth --yes", 3, "2 relayers"],
])("what is refused before anything is guarded: %s", async (_, words, exitCode, text) => {
  const ran = await exited(exitCode, cli(`relayers guard ${words} --demo --deadline 5m`));
  expect(ran.stderr).toContain(text);
  expect(ran.requests.filter(isUpdate)).toEqual([]);
});
