import { ClosedPipe } from "../../../../src/terminal/streams/output.ts";
import { ends, exited, runHere, testApp, type World } from "../../../helpers/cli.ts";
import { refusal, success, wholeList } from "../../../helpers/service/reply.ts";
import { lost, type Step, scriptedService } from "../../../helpers/service/scripted-service.ts";
import { steppedClock } from "../../../helpers/stepped-clock.ts";

const WATCH = ["relayers", "status", "--watch", "5s", "--retries", "0"];
const ACTIVE = { id: "r1", paused: false, system_disabled: false };
const PAUSED = { id: "r1", paused: true, system_disabled: false };
const DISABLED = { id: "r1", system_disabled: true, disabled_reason: { type: "NonceSyncFailed", details: "x" } };
const OTHER = { id: "r2" };

const list = (...relayers: readonly object[]): Step => ({ reply: wholeList(relayers) });
const silence: Step = { failure: lost("reset") };

/** A world whose service sends these responses in order, and in which Ctrl-C is pressed after the last one. */
function watched(steps: readonly Step[], world: World = {}) {
  const interrupt = new AbortController();
  const scripted = scriptedService(...steps);
  const made = testApp({
    ...world,
    interrupt: interrupt.signal,
    service: async (request, limits) => {
      // The last response is still printed: the watch handles it before it waits again.
      if (scripted.left() === 1) queueMicrotask(() => interrupt.abort("interrupted"));
      return await scripted.transport(request, limits);
    },
  });
  return { ...made, interrupt, scripted };
}

async function watch(steps: readonly Step[], world: World = {}, more: readonly string[] = []) {
  const made = watched(steps, world);
  return { ...(await runHere(made, [...WATCH, ...more])), slept: made.clock.slept, left: made.scripted.left() };
}

async function untilAsked({ requests }: { requests: readonly unknown[] }, times: number): Promise<void> {
  while (requests.length < times) await turnOfLoop();
  expect(requests).toHaveLength(times);
}

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

/** Events as `event id state`. */
function told(stdout: string): string[] {
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return events.map(({ event, relayer, health }) => `${event} ${relayer.id} ${health.state}`);
}

describe("a watch into a pipe", () => {
  test("prints each relayer at the start and an event for each change, until Ctrl-C", async () => {
    const ran = await watch([list(ACTIVE, OTHER), list(DISABLED, OTHER), list(DISABLED, OTHER), list(ACTIVE, OTHER)]);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "", left: 0 });
    expect(told(ran.stdout)).toEqual(["seen r1 active", "seen r2 active", "changed r1 disabled", "changed r1 active"]);
    expect(ran.slept).toEqual([5000, 5000, 5000, 5000]);
  });

  test("reports once that the service does not count its list", async () => {
    const { stderr } = await watch([1, 2, 3].map(() => ({ reply: success([ACTIVE]) })));
    expect(stderr.match(/does not count/g)).toHaveLength(1);
  });

  test("prints an event as the relayer's status with a time", async () => {
    const { stdout } = await watch([list(PAUSED)]);
    expect(JSON.parse(stdout)).toEqual({
      time: "2026-11-21T03:12:07.000Z",
      event: "seen",
      relayer: PAUSED,
      status: null,
      health: { state: "paused", reasons: [] },
    });
  });

  test("reports added and removed relayers", async () => {
    const ran = await watch([list(OTHER), list(OTHER, PAUSED), list(PAUSED)]);
    expect(told(ran.stdout)).toEqual(["seen r2 active", "added r1 paused", "removed r2 active"]);
  });

  test("does not report changes of other fields or of the order", async () => {
    const renamed = { ...ACTIVE, name: "another", notification_id: "hook" };
    const ran = await watch([list(ACTIVE, OTHER), list(OTHER, renamed)]);
    expect(told(ran.stdout)).toEqual(["seen r1 active", "seen r2 active"]);
  });

  test.each([
    ["another reason", DISABLED, { ...DISABLED, disabled_reason: { type: "BalanceCheckFailed" } }],
    ["a pause while disabled", DISABLED, { ...DISABLED, paused: true }],
  ])("%s is reported as a change", async (_, before, after) => {
    expect(told((await watch([list(before), list(after)])).stdout)).toEqual([
      "seen r1 disabled",
      "changed r1 disabled",
    ]);
  });

  test("with --where reports once that a relayer no longer matches", async () => {
    const steps = [list(ACTIVE, OTHER), list(PAUSED, OTHER), list(ACTIVE, OTHER), list(OTHER)];
    const ran = await watch(steps, {}, ["--where", "health.state!=active"]);
    expect(told(ran.stdout)).toEqual(["changed r1 paused", "changed r1 active"]);
  });

  test("of some relayers reports only those, and continues after one is removed", async () => {
    const ran = await watch([list(ACTIVE, OTHER), list(OTHER), list(ACTIVE)], {}, ["r1"]);
    expect(told(ran.stdout)).toEqual(["seen r1 active", "removed r1 active", "added r1 active"]);
    expect(await watch([list(OTHER), list(OTHER)], {}, ["r1"])).toMatchObject({ exitCode: 5, stdout: "", slept: [] });
  });

  test("ends quietly if the reader of stdout leaves", async () => {
    const ran = await watch([list(ACTIVE), list(PAUSED)], { stdoutFault: new ClosedPipe() });
    expect(ran).toMatchObject({ exitCode: 0, stderr: "", slept: [] });
  });
});

describe("a service that fails during a watch", () => {
  test("is reported once, retried, and reported when it responds again", async () => {
    const ran = await exited(
      0,
      watch([list(ACTIVE), silence, { reply: refusal(500, "no") }, list(PAUSED), silence, list(PAUSED)]),
    );
    expect(told(ran.stdout)).toEqual(["seen r1 active", "changed r1 paused"]);
    expect(ran.stderr.split("\n").map((line) => line.replace(/^note: (?!the service).*; /, "note: …; "))).toEqual([
      "note: …; retrying every 5s",
      "note: the service is responding again",
      "note: …; retrying every 5s",
      "note: the service is responding again",
      "",
    ]);
  });

  test.each([
    ["an invalid token", 401, "Unauthorized", 4],
    ["a refusal", 422, "Unprocessable", 7],
  ])("with %s ends the watch", async (_, status, words, code) => {
    const ran = await watch([list(ACTIVE), { reply: refusal(status, words) }, list(ACTIVE)]);
    expect(ran).toMatchObject({ exitCode: code, left: 1 });
    expect(ran.stderr).toContain(`error: ${words}`);
  });

  test("at the first request ends the watch", async () =>
    expect(await watch([silence, list(ACTIVE)])).toMatchObject({ exitCode: 10, stdout: "", left: 1 }));
});

describe("the duration of a watch", () => {
  test("is not limited by default", async () => {
    const steps = Array.from({ length: 100 }, () => list(ACTIVE));
    expect((await watch(steps)).slept).toHaveLength(100);
  });

  test("is limited by --deadline, which exits with 0", async () => {
    const clock = steppedClock();
    const made = watched([list(ACTIVE), list(PAUSED), list(ACTIVE), list(PAUSED)], { clock });
    const ended = runHere(made, [...WATCH, "--deadline", "12s"]);
    for (let second = 1; second <= 12; second++) await clock.pass(1000);
    const ran = await ended;
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(told(ran.stdout)).toEqual(["seen r1 active", "changed r1 paused", "changed r1 active"]);
  });

  test.each([
    ["interrupted", 0],
    ["terminated", 143],
    ["hung_up", 129],
  ])("ends after a signal, even during a request: %s", async (reason, code) => {
    const { interrupt, scripted, ...made } = watched([list(ACTIVE), {}, list(ACTIVE)]);
    const ended = runHere(made, WATCH);
    await untilAsked(scripted, 2);
    interrupt.abort(reason);
    expect(await ended).toMatchObject({ exitCode: code });
  });
});

describe("a watch on a terminal", () => {
  const HOME = "\u001b[H";
  const plain = (text: string) => text.replaceAll(/\u001b\[\d*(?:m|K|J)/g, "");
  /** The pictures that were painted, and what was left on the screen at the end. */
  function pictures(stdout: string) {
    const [start = "", rest = "", ...others] = stdout.split("\u001b[?25h\u001b[?1049l");
    expect(others).toEqual([]);
    const [begin, ...painted] = start.split(HOME);
    expect(begin).toBe("\u001b[?1049h\u001b[?25l");
    return { painted: painted.map(plain), left: plain(rest) };
  }

  test("repaints the screen with the time and the interval, and leaves the last screen", async () => {
    const ran = await watch([list(ACTIVE), list(PAUSED)], { terminal: true }, ["--brief"]);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    const head = "  RELAYER  STATE\n";
    const why = "\n‖ r1  by an operator: relayctl relayers resume r1\n";
    const paused = (sign: string) =>
      `${head}${sign} r1       paused\n${why}1 relayer · http://127.0.0.1:8080 · 1 paused\n`;
    const log = "\n03:12:12Z  r1  active → paused\n";
    expect(pictures(ran.stdout)).toEqual({
      painted: [
        `${head}● r1       active\n1 relayer · http://127.0.0.1:8080 · 1 active\n03:12:07Z · http://127.0.0.1:8080 · every 5s, Ctrl-C to stop\n`,
        `${paused(">")}${log}03:12:12Z · http://127.0.0.1:8080 · every 5s, Ctrl-C to stop\n`,
      ],
      left: paused("‖") + log,
    });
  });

  test("reports below the last screen that the service does not respond, until it does", async () => {
    const ran = await watch([list(ACTIVE), silence, list(ACTIVE)], { terminal: true }, ["--brief"]);
    const { painted } = pictures(ran.stdout);
    expect(painted[1]).toMatch(
      /^ {2}RELAYER {2}STATE\n● r1 {7}active\n1 relayer .*\n\n03:12:12Z {2}no response: .*\n03:12:12Z · no response: .*every 5s/,
    );
    expect(painted[2]).toMatch(
      /^ {2}RELAYER {2}STATE\n● r1 {7}active\n1 relayer .*\n\n[^·]*\n03:12:17Z {2}the service is responding again\n03:12:17Z · http:/,
    );
    expect(ran.stderr).toBe("");
  });

  test("restores the screen after an error", async () => {
    const ran = await watch([list(ACTIVE), { reply: refusal(401, "Unauthorized") }, list()], { terminal: true }, [
      "--brief",
    ]);
    expect(ran.exitCode).toBe(4);
    expect(pictures(ran.stdout).left).toMatch(/^ {2}RELAYER {2}STATE\n● r1 {7}active\n1 relayer · .*\n$/);
  });

  test("reports an empty list", async () => {
    const ran = await watch([list()], { terminal: true }, ["--brief"]);
    expect(pictures(ran.stdout).painted[0]).toMatch(/^no relayers in http/);
  });

  test("fits the terminal, and repaints when its size changes", async () => {
    const { interrupt, scripted, ...made } = watched([list(PAUSED, OTHER, { id: "r3" }), {}, {}], {
      terminal: true,
      columns: 60,
    });
    const ended = runHere(made, [...WATCH, "--brief"]);
    await untilAsked(scripted, 2);
    made.stdout.resize(50, 4);
    await turnOfLoop();
    interrupt.abort("interrupted");
    const { painted } = pictures((await ended).stdout);
    expect(painted).toHaveLength(2);
    expect(painted[0]?.split("\n").slice(0, 2)).toEqual(["  RELAYER  STATE", "‖ r1       paused"]);
    expect(painted[1]?.split("\n").slice(0, 2)).toEqual([
      "… 3 more relayers: 1 paused, 2 active",
      "03:12:07Z · http://127.0.0.1:8080 · every 5s, Ctr…",
    ]);
  });

  test("prints escaped events with -o ndjson", async () => {
    const ran = await watch([list({ ...ACTIVE, name: "\u202e" })], { terminal: true }, ["-o", "ndjson"]);
    expect(ran.stdout).toContain('"name":"\\u202e"');
  });

  test.each([{ RELAYCTL_ACCESSIBLE: "1" }, { TERM: "dumb" }])("does not repaint with %o", async (more) => {
    const { env } = testApp().app;
    const world = { terminal: true, env: { ...(env as Record<string, string>), NO_COLOR: "1", ...more } };
    const ran = await watch([list(ACTIVE), list(ACTIVE), list(PAUSED), list()], world, ["--brief"]);
    expect(ran.stdout).toBe(
      "RELAYER  STATE\nr1       active\n" +
        "2026-11-21T03:12:17.000Z  r1  active → paused\n" +
        "2026-11-21T03:12:22.000Z  r1  removed\n",
    );
  });
});

test("a watch is rejected before any request with --check, and with a format from the environment", async () => {
  const ran = await ends({ exitCode: 2, requests: [] }, "relayers status --watch 5s --check");
  expect(ran.stderr).toContain("--watch: cannot be combined with --check");
  await ends({ exitCode: 2, requests: [] }, "relayers status --demo --watch 5s", { env: { RELAYCTL_OUTPUT: "yaml" } });
});
