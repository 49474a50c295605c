import { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { runEditor } from "../../../src/config/editor/run-editor.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("an editor that ignores a termination signal is killed a second later", async () => {
  const kill = vi.spyOn(ChildProcess.prototype, "kill");
  onTestFinished(() => {
    const [editor] = kill.mock.contexts as ChildProcess[];
    kill.mockRestore();
    editor?.kill("SIGKILL");
  });
  const clock = steppedClock();
  const interrupt = new AbortController();
  const started = join(temporaryFolder(), "started");
  const script = "trap '' TERM; echo > $0; exec sleep 600";
  const edited = runEditor({ argv: ["/bin/sh", "-c", script], from: "EDITOR" }, started, {
    env: process.env,
    interrupt: interrupt.signal,
    clock,
    lendTerminal: (use) => use(),
  }).catch((error: unknown) => error);
  while (!existsSync(started)) await setImmediate();
  interrupt.abort("interrupted");
  await clock.pass(999);
  expect(kill.mock.calls).toEqual([["SIGTERM"]]);
  await clock.pass(1);
  expect(kill.mock.calls).toEqual([["SIGTERM"], ["SIGKILL"]]);
  expect(await edited).toMatchObject({ failure: "interrupted" });
});
