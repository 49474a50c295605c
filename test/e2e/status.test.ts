import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bash, newFolder, said, start } from "./relayctl.ts";
import { serve } from "./services/embedded.ts";
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
      { after: "> base-hot", act: (terminal) => terminal.resize(50, 30) },
      { after: "nonce sync failed: the service\u001b[K", keys: "\u0003" },
    ],
  });
  expect(exitCode).toBe(0);
  expect(shown.startsWith(`${BEGIN}\u001b[H`)).toBe(true);
  const [, after = "", ...others] = shown.split(END);
  expect(others).toEqual([]);
  expect(after).toMatch(/base-hot +paused[\s\S]*Z {2}base-hot {2}active → paused\nafter\n$/);
  expect(after).not.toContain("\u001b");
});

test("a watch runs a program for each change, with the event on stdin and without the token", async () => {
  const { env } = await serve();
  const folder = newFolder();
  const script = `let input = "";
    for await (const chunk of process.stdin) input += chunk;
    console.log("on stdout");
    console.error(JSON.stringify({ input, token: process.env.RELAYCTL_TOKEN ?? null }));`;
  writeFileSync(join(folder, "notify.mjs"), script);
  const words = ["relayers", "status", "--watch", "1s", "base-hot", "--on-change", `'${process.execPath}' notify.mjs`];
  const { child, ended } = start(words, { folder, env });
  if (!child.stdout || !child.stderr) throw new Error("the streams are missing");
  await said(child.stdout, '"seen"');
  const noted = said(child.stderr, "}\n");
  expect(await bash("relayctl relayers pause base-hot", { folder, env })).toMatchObject({ exitCode: 0 });
  await noted;
  child.kill("SIGINT");
  const { exitCode, stdout, stderr } = await ended;
  expect(exitCode).toBe(0);
  const [seen, changed = "", ...others] = stdout.split("\n").filter((line) => line !== "");
  expect(JSON.parse(seen ?? "")).toMatchObject({ event: "seen" });
  expect(JSON.parse(changed)).toMatchObject({ event: "changed", health: { state: "paused" } });
  expect(others).toEqual([]);
  expect(JSON.parse(stderr.slice(stderr.indexOf("{")))).toEqual({ input: `${changed}\n`, token: null });
});

test("a program of --on-change that hangs ends with the watch", async () => {
  const { env } = await serve();
  const folder = newFolder();
  const script = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1_000);
    require("node:fs").writeFileSync("started", String(process.pid))`;
  writeFileSync(join(folder, "hang.cjs"), script);
  const words = ["relayers", "status", "--watch", "1s", "base-hot", "--on-change", `'${process.execPath}' hang.cjs`];
  const { child, ended } = start(words, { folder, env });
  if (!child.stdout) throw new Error("the stream is missing");
  await said(child.stdout, '"seen"');
  // A program that writes to this pipe waits for its reader.
  const { stdout: pid } = await bash("mkfifo started && relayctl relayers pause base-hot > paused.txt && cat started", {
    folder,
    env,
  });
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await bash(`kill -0 ${pid}`)).exitCode).toBe(1);
});
