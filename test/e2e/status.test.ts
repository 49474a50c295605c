import { expect, test } from "vitest";
import { bash, newFolder, start } from "./relayctl.ts";
import { serve } from "./served.ts";
import { inTerminal } from "./terminal/terminal.ts";

const BEGIN = "\u001b[?1049h\u001b[?25l";
const END = "\u001b[?25h\u001b[?1049l";

test("a watch repaints, adapts to a resized terminal, and restores the screen and the cursor after Ctrl-C", async () => {
  const { env } = await serve();
  const folder = newFolder();
  const { exitCode, shown } = await inTerminal("relayctl relayers status --watch 1s; code=$?; echo after; exit $code", {
    folder,
    env: { ...env, NO_COLOR: "1" },
    columns: 100,
    typed: [
      { after: "Ctrl-C to stop", act: () => void bash("relayctl relayers pause base-hot", { folder, env }) },
      { after: "> paused    base-hot", act: (terminal) => terminal.resize(50, 30) },
      { after: "nonce sync failed: the service tries\u001b[K", keys: "\u0003" },
    ],
  });
  expect(exitCode).toBe(0);
  expect(shown.startsWith(`${BEGIN}\u001b[H`)).toBe(true);
  const [, after = "", ...others] = shown.split(END);
  expect(others).toEqual([]);
  expect(after).toMatch(/paused +base-hot[\s\S]*Z {2}base-hot {2}active → paused\nafter\n$/);
  expect(after).not.toContain("\u001b");
});

test("a watch in a pipe prints one event per line, and ends after a signal", async () => {
  const { env } = await serve();
  const { child, ended } = start(["relayers", "status", "--watch", "1h", "base-hot"], { env });
  await new Promise<void>((resolve) => child.stdout?.once("data", () => resolve()));
  child.kill("SIGTERM");
  const { exitCode, stdout } = await ended;
  expect(exitCode).toBe(143);
  expect(JSON.parse(stdout)).toMatchObject({ event: "seen", relayer: { id: "base-hot" }, health: { state: "active" } });
});
