import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { App } from "../../../src/app.ts";
import { runProgram } from "../../../src/config/token/run-program.ts";
import { clock, signalGroup } from "../../../src/system.ts";
import { temporaryFolder } from "../../config/temporary-folder.ts";
import { cli, exited, exitedSaying, says, TOKEN, type World } from "../../helpers/cli.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { writeProgram } from "../../helpers/write-program.ts";
import { type Fleet, watching } from "./watching.ts";

type Execution = Awaited<ReturnType<App["execute"]>>;

const LINE = "relayers status --watch 5s --brief --on-change notify";

function fleetOf(...ids: string[]): Fleet {
  return { relayers: ids.map((id) => ({ id })), statuses: {}, transactions: {} };
}

/** Pauses or resumes every relayer. */
function toggle(fleet: Fleet): void {
  fleet.relayers = fleet.relayers.map((relayer) => ({ ...relayer, paused: !relayer.paused }));
}

/** A program that notes its runs, and ends as the test says. */
function programThat(ends: (signal: AbortSignal) => Promise<Execution> | Execution) {
  const runs: { argv: readonly string[]; input: string }[] = [];
  const execute: App["execute"] = async (argv, { input = "", stop }) => {
    runs.push({ argv, input });
    return await ends(stop ?? new AbortController().signal);
  };
  return { runs, execute };
}

const succeeds = () => ({ stdout: "", stderr: "" });
const fails = () => ({ stdout: "", stderr: "", problem: "it ended with status 3" });

function hangs(signal: AbortSignal): Promise<Execution> {
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve({ stdout: "", stderr: "", problem: "it was interrupted" })),
  );
}

async function watched(fleet: Fleet, execute: App["execute"], world: World = {}, line = LINE) {
  return await watching(line, fleet, { ...world, execute });
}

describe("--on-change", () => {
  test("runs the program for each change, with the line of a pipe on stdin", async () => {
    const fleet = fleetOf("r1", "r2");
    const { runs, execute } = programThat(succeeds);
    const watch = await watched(fleet, execute);
    await watch.pass(6);
    expect(runs).toEqual([]);
    fleet.relayers = [{ id: "r1", paused: true }, { id: "r3" }];
    await watch.pass(5);
    const { stdout, stderr } = await exited(0, watch.end());
    const lines = stdout.split("\n").slice(2, -1);
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(["changed", "added", "removed"]);
    expect(runs.map(({ input }) => input)).toEqual(lines.map((line) => `${line}\n`));
    expect(runs[0]?.argv).toEqual(["notify"]);
    expect(stderr).toBe("");
  });

  test("passes on the event of the pipe, with the same time, even if the clock ticks in between", async () => {
    const fleet = fleetOf("r1");
    const { runs, execute } = programThat(succeeds);
    const stepped = steppedClock();
    let ticks = 0;
    const ticking = { ...stepped, now: () => stepped.now() + ticks++ };
    const watch = await watching(LINE, fleet, { execute }, ticking);
    toggle(fleet);
    await watch.pass(6);
    const [, changed] = (await watch.end()).stdout.split("\n");
    expect(runs.map(({ input }) => input)).toEqual([`${changed}\n`]);
  });

  test("passes on the named fields, and no token", async () => {
    const fleet = fleetOf("r1");
    const { runs, execute } = programThat(succeeds);
    const watch = await watched(fleet, execute, {}, `${LINE} --fields relayer.name`);
    fleet.relayers = [{ id: "r1", name: TOKEN }];
    await watch.pass(6);
    expect(runs.map(({ input }) => input)).toEqual([
      '{"time":"2026-11-21T03:12:12.000Z","event":"changed","relayer":{"name":"‹redacted›"}}\n',
    ]);
  });

  test("warns of failures once a minute, with the reason and the count, and the watch continues", async () => {
    const fleet = fleetOf("r1");
    const { runs, execute } = programThat(fails);
    const watch = await watched(fleet, execute);
    for (let read = 0; read < 14; read++) {
      toggle(fleet);
      await watch.pass(5);
    }
    expect(runs).toHaveLength(14);
    const { stderr, stdout } = await watch.end();
    expect(stderr.split("\n")).toEqual([
      "warning: --on-change notify failed: it ended with status 3",
      "warning: --on-change notify failed: it ended with status 3 (12 failures since the last warning)",
      "",
    ]);
    expect(stdout.match(/"changed"/g)).toHaveLength(14);
  });

  test("shows escaped what the program prints to stderr, on a terminal in the log", async () => {
    const execute = programThat(() => ({ stdout: "", stderr: "sent \u001b[2J\n\nagain\n" })).execute;
    const [piped, drawn] = [fleetOf("r1"), fleetOf("r1")];
    const pipe = await watched(piped, execute);
    const terminal = await watched(drawn, execute, { terminal: true });
    toggle(piped);
    toggle(drawn);
    await pipe.pass(6);
    await terminal.pass(6);
    expect((await pipe.end()).stderr).toBe("notify: sent \\u{1b}[2J\nnotify: again\n");
    expect(terminal.screen()).toMatch(/^(03:12:1\dZ {2}notify: )sent \\u\{1b\}\[2J\n\1again$/m);
    expect((await terminal.end()).stderr).toBe("");
  });

  test("runs one program at a time, which does not delay the watch, and ends it with the watch", async () => {
    const fleet = fleetOf("r1");
    const { runs, execute } = programThat(hangs);
    const watch = await watched(fleet, execute);
    for (let read = 0; read < 3; read++) {
      toggle(fleet);
      await watch.pass(5);
    }
    expect(runs).toHaveLength(1);
    const { stdout, stderr, exitCode } = await watch.end();
    expect(stdout.match(/"changed"/g)).toHaveLength(3);
    expect(runs).toHaveLength(1);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("drops the oldest events of more than 1000 that wait, and says so once", async () => {
    const fleet = fleetOf(...Array.from({ length: 600 }, (_, index) => `r${1_000 + index}`));
    let release: (() => void) | undefined;
    const { runs, execute } = programThat(async () => {
      if (runs.length === 1) await new Promise<void>((resolve) => (release = resolve));
      return succeeds();
    });
    const watch = await watched(fleet, execute);
    for (let read = 0; read < 3; read++) {
      toggle(fleet);
      await watch.pass(5);
    }
    release?.();
    await watch.pass(1);
    expect(runs).toHaveLength(1_001);
    expect(JSON.parse(runs[1]?.input ?? "")).toMatchObject({ relayer: { id: "r1200" }, health: { state: "active" } });
    expect((await watch.end()).stderr).toBe("warning: --on-change notify is too slow: the oldest events are dropped\n");
  });
});

describe("the program of --on-change", () => {
  const usage = async (...argv: string[]) => {
    const { exitCode, stderr, requests } = await cli(["relayers", "status", ...argv]);
    return { exitCode, stderr, requests };
  };

  test("can have quoted arguments", async () => {
    const fleet = fleetOf("r1");
    const { runs, execute } = programThat(succeeds);
    const watch = await watched(fleet, execute, {}, 'relayers status --watch 5s --on-change "a\u00a0b";c');
    toggle(fleet);
    await watch.pass(6);
    expect(runs[0]?.argv).toEqual(["a\u00a0b;c"]);
  });

  test.each([
    [["--on-change", "notify"], "--on-change: needs --watch"],
    [["--watch", "5s", "--on-change", "a 'b"], "has a quote that is not closed"],
    [["--watch", "5s", "--on-change", " "], "needs a program, e.g. ./notify.sh"],
  ])("is refused before any request: %j", (argv, problem) =>
    exitedSaying({ exitCode: 2, requests: [] }, usage(...argv), problem),
  );
});

/** Programs of --on-change that misbehave, and the warning. */
const HOSTILE: Readonly<Record<string, readonly [script: string | undefined, warning: string | undefined]>> = {
  "is missing": [undefined, "program not found"],
  "is not executable": ["", "it may not be run"],
  "cannot be interpreted": ["#!/nowhere/sh\n", "program not found"],
  fails: ["#!/bin/sh\nexit 3\n", "it ended with status 3"],
  "is killed": ["#!/bin/sh\nkill -9 $$\n", "signal SIGKILL ended it"],
  "hangs and ignores signals": ["#!/bin/sh\ntrap '' TERM\nsleep 600\n", "it took longer than 10 s"],
  "prints megabytes to stderr": ["#!/bin/sh\nyes >&2\n", "it printed too much"],
  "prints megabytes to stdout": ["#!/bin/sh\nhead -c 10000000 /dev/zero\n", undefined],
  "closes stdin early": ["#!/bin/sh\nexec 0<&-\nexit 0\n", undefined],
  "leaves stdin unread": ["#!/bin/sh\nexit 0\n", undefined],
};

test.each(Object.entries(HOSTILE))(
  "a program of --on-change that %s does not end the watch",
  async (_, [script, problem]) => {
    const path = join(temporaryFolder(), "notify");
    if (script === "") writeFileSync(path, script, { mode: 0o600 });
    else if (script !== undefined) writeProgram(path, script);
    const ends: Promise<unknown>[] = [];
    const execute: App["execute"] = (argv, { stop = new AbortController().signal, ...limits }) => {
      // Only the time limit is passed at once: the program that hangs has 10 s.
      const hasty: typeof clock.sleep = async (time, signal) =>
        time > 1_000 && problem?.includes("longer") ? undefined : clock.sleep(time, signal);
      const surroundings = { env: process.env, clock: { sleep: hasty }, interrupt: stop, signalGroup };
      const run = runProgram(argv, limits, surroundings);
      ends.push(run);
      return run;
    };
    // An event that does not fit into a pipe.
    const fleet = {
      relayers: [{ id: "r1", name: "x".repeat(200_000), paused: false }],
      statuses: {},
      transactions: {},
    };
    const watch = await watching(`relayers status --watch 5s --brief --on-change ${path}`, fleet, { execute });
    for (let change = 0; change < 2; change++) {
      fleet.relayers = fleet.relayers.map((relayer) => ({ ...relayer, paused: !relayer.paused }));
      await watch.pass(6);
      while (ends.length <= change) await setImmediate();
      await ends[change];
      await watch.pass(0);
    }
    const { stdout, stderr } = await exited(0, watch.end());
    expect(stdout.match(/"event":"changed"/g)).toHaveLength(2);
    expect(stderr.split("\n").length).toBeLessThan(50);
    const lines = stderr.split("\n").filter((line) => line.startsWith("warning: "));
    expect(lines).toEqual(problem === undefined ? [] : [`warning: --on-change ${path} failed: ${problem}`]);
  },
);

test.each(["relayers list", "tx list", "networks list"])(
  "%s has no --on-change, and the error shows the command that has it",
  (line) => says({ exitCode: 2, requests: [] }, `${line} --watch 5s --on-change ./notify.sh`, "relayers status"),
);
