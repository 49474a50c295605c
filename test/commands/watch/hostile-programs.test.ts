import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { App } from "../../../src/app.ts";
import { runProgram } from "../../../src/config/token/run-program.ts";
import { clock, signalGroup } from "../../../src/system.ts";
import { temporaryFolder } from "../../config/temporary-folder.ts";
import { exited, says } from "../../helpers/cli.ts";
import { writeProgram } from "../../helpers/write-program.ts";
import { watching } from "./watching.ts";

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
