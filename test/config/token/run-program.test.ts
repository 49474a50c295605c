import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type ProgramLimits, runProgram } from "../../../src/config/token/run-program.ts";
import { clock, signalGroup } from "../../../src/system.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const LIMITS: ProgramLimits = { timeout: 600_000, maxBytes: 1_000 };
const interrupt = new AbortController().signal;
const surroundings = { env: process.env, clock, interrupt, signalGroup };

/** Checks again and again: the test hangs if it never holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate();
}

/** A clock on which the time limit has passed once the program has written a file. */
function untilWritten(path: string): Pick<typeof clock, "sleep"> {
  return {
    sleep: (milliseconds, signal) =>
      milliseconds === LIMITS.timeout ? until(() => existsSync(path)) : clock.sleep(milliseconds, signal),
  };
}

function node(script: string, limits = LIMITS) {
  const env = { ...process.env, RELAYCTL_TOKEN: "canary" };
  return runProgram([process.execPath, "-e", script], limits, { ...surroundings, env });
}

test("returns the output of a program, without a shell", async () => {
  const script = "console.log(process.argv[1])";
  const result = await runProgram([process.execPath, "-e", script, "$HOME `id` ; *"], LIMITS, surroundings);
  expect(result).toEqual({ stdout: "$HOME `id` ; *\n" });
});

test("hides the token from the program", async () =>
  expect(await node("console.log(String(process.env.RELAYCTL_TOKEN))")).toEqual({ stdout: "undefined\n" }));

test("gives the program an empty stdin", async () =>
  expect(await node("process.stdin.resume().on('end', () => console.log('ended'))")).toEqual({ stdout: "ended\n" }));

test.each([
  ["console.log('canary'); console.error('canary'); process.exit(3)", LIMITS, "it ended with status 3"],
  ["console.log('canary'); process.kill(process.pid, 'SIGTERM')", LIMITS, "signal SIGTERM ended it"],
  ["console.log('canary'.repeat(1000)); setInterval(() => {}, 1000)", LIMITS, "it printed too much"],
])("reports the problem without the output: %s", async (script, limits, problem) => {
  expect(await node(script, limits)).toEqual({ stdout: "", problem });
});

test.each([
  ["/nowhere/pass", "program not found"],
  ["/", "it may not be run"],
  ["a\0b", "it could not be started"],
])("reports a program that cannot be started: %j", async (program, problem) => {
  expect(await runProgram([program], LIMITS, surroundings)).toEqual({ stdout: "", problem });
});

describe("a program with input", () => {
  const withInput = (script: string, input = "line\n") => node(script, { ...LIMITS, input });

  test("reads it from stdin; its stderr is returned, and its stdout is discarded", async () => {
    const script = "process.stdin.pipe(process.stderr); console.log('x'.repeat(100_000))";
    expect(await withInput(script)).toEqual({ stdout: "", stderr: "line\n" });
  });

  test("need not read it", async () => {
    const result = await withInput("process.exit(4)", "x".repeat(10_000_000));
    expect(result).toEqual({ stdout: "", stderr: "", problem: "it ended with status 4" });
  });

  test("does not see the token", async () =>
    expect(await withInput("console.error(String(process.env.RELAYCTL_TOKEN))")).toMatchObject({
      stderr: "undefined\n",
    }));

  test("that hangs is ended, and its stderr is returned", async () => {
    const printed = join(temporaryFolder(), "printed");
    const script = `process.on("SIGTERM", () => {}); require("node:fs").writeSync(2, "waits\\n");
      require("node:fs").writeFileSync(${JSON.stringify(printed)}, ""); setInterval(() => {}, 1000)`;
    const limits = { ...LIMITS, input: "line\n" };
    const run = runProgram([process.execPath, "-e", script], limits, { ...surroundings, clock: untilWritten(printed) });
    expect(await run).toEqual({ stdout: "", stderr: "waits\n", problem: "it took longer than 600 s" });
  });
});

describe("a process left running by the program", () => {
  async function leaving(script: string) {
    const pid = join(temporaryFolder(), "pid");
    const result = await runProgram(["/bin/sh", "-c", script, "sh", pid], LIMITS, surroundings);
    return { result, left: Number(readFileSync(pid, "utf8")) };
  }

  /** Resolves once a process has ended by itself. A process that nobody has waited for yet has ended. */
  async function ends(pid: number): Promise<void> {
    const isGone = () => {
      const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)]);
      return stdout.length === 0 || stdout.toString().startsWith("Z");
    };
    await until(isGone);
  }

  test.each([
    ["that keeps the output open", "sleep 600 & echo $! > $1; echo token"],
    ["that ignores SIGTERM", "(trap '' TERM; sleep 600) & echo $! > $1; echo token"],
    ["that another process started", "(sleep 600 & echo $! > $1); echo token"],
  ])("%s neither delays the output nor survives", async (_, script) => {
    const { result, left } = await leaving(script);
    expect(result).toEqual({ stdout: "token\n" });
    await ends(left);
  });

  test("does not delay the output even in a separate session, like an agent", async () => {
    const { result, left } = await leaving(
      `setsid sh -c 'echo $$ > "$1"; exec sleep 600' sh "$1" & until [ -s "$1" ]; do :; done; echo token`,
    );
    process.kill(left, "SIGKILL");
    expect(result).toEqual({ stdout: "token\n" });
  });

  test("does not keep it waiting with endless output in a separate session", async () => {
    const pid = join(temporaryFolder(), "pid");
    const written = () => existsSync(pid) && readFileSync(pid, "utf8").endsWith("\n");
    const script = `setsid sh -c 'echo $$ > "$1"; exec yes' sh "$1" & sleep 600`;
    const waits: number[] = [];
    const sleep: typeof clock.sleep = (milliseconds, signal) => {
      waits.push(milliseconds);
      return clock.sleep(milliseconds, signal);
    };
    const result = runProgram(["/bin/sh", "-c", script, "sh", pid], LIMITS, { ...surroundings, clock: { sleep } });
    await until(written);
    onTestFinished(() => void process.kill(Number(readFileSync(pid, "utf8")), "SIGKILL"));
    expect(await result).toEqual({ stdout: "", problem: "it printed too much" });
    // Its time limit, and its grace, whatever it prints meanwhile.
    expect(waits).toHaveLength(2);
  });

  test("is ended at the time limit, even if the signal is ignored", async () => {
    const hasty = { ...clock, sleep: async () => {} };
    const script = "trap '' TERM; sleep 600 & echo $! > $1; while :; do sleep 600; done";
    const pid = join(temporaryFolder(), "pid");
    const run = runProgram(["/bin/sh", "-c", script, "sh", pid], LIMITS, { ...surroundings, clock: hasty });
    expect(await run).toEqual({ stdout: "", problem: "it took longer than 600 s" });
  });

  test("has its output dropped at the time limit", async () => {
    const printed = join(temporaryFolder(), "printed");
    const script = ["/bin/sh", "-c", "echo canary; echo > $1; exec sleep 600", "sh", printed];
    const run = runProgram(script, LIMITS, { ...surroundings, clock: untilWritten(printed) });
    expect(await run).toEqual({ stdout: "", problem: "it took longer than 600 s" });
  });

  test("is ended by an interrupt", async () => {
    const controller = new AbortController();
    const pid = join(temporaryFolder(), "pid");
    const script = ["/bin/sh", "-c", "sleep 600 & echo $! > $1; wait", "sh", pid];
    const run = runProgram(script, LIMITS, { ...surroundings, interrupt: controller.signal });
    const left = () => (existsSync(pid) ? Number(readFileSync(pid, "utf8")) : 0);
    await until(() => left() > 0);
    controller.abort("interrupted");
    expect(await run).toEqual({ stdout: "", problem: "it was interrupted" });
    await ends(left());
  });
});

test("output written just before the end is complete up to the limit", async () => {
  const limits = { ...LIMITS, maxBytes: 64 * 1024 };
  const { stdout } = await node("require('fs').writeSync(1, 'x'.repeat(65_536))", limits);
  expect(stdout).toHaveLength(65_536);
});

test("a program has no terminal for prompts", async () => {
  const script =
    "try { require('fs').openSync('/dev/tty', 'r+'); console.log('asks'); } catch ({ code }) { console.log(code); }";
  expect(await node(script)).toEqual({ stdout: "ENXIO\n" });
});

test("a program that ignores a termination signal is killed half a second later", async () => {
  const stepped = steppedClock();
  const controller = new AbortController();
  const sent: string[] = [];
  const started = join(temporaryFolder(), "started");
  const script = ["/bin/sh", "-c", "trap '' TERM; echo > $1; exec sleep 600", "sh", started];
  const run = runProgram(script, LIMITS, {
    ...surroundings,
    clock: stepped,
    interrupt: controller.signal,
    signalGroup(pid, signal) {
      sent.push(signal);
      signalGroup(pid, signal);
    },
  });
  await until(() => existsSync(started));
  controller.abort("interrupted");
  await stepped.pass(499);
  expect(sent).toEqual(["SIGTERM"]);
  await stepped.pass(1);
  // Once the program is dead, its group is killed too, which can happen before this line.
  expect(sent.slice(0, 2)).toEqual(["SIGTERM", "SIGKILL"]);
  let isOver = false;
  const ended = run.finally(() => {
    isOver = true;
  });
  while (!isOver) await stepped.pass(1);
  expect(await ended).toEqual({ stdout: "", problem: "it was interrupted" });
});
