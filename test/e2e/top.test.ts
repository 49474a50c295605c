import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chosen } from "../helpers/deep.ts";
import { newFolder, relayctl } from "./relayctl.ts";
import { openTerminal } from "./terminal/terminal-session.ts";

const [CTRL_C, CTRL_Z] = ["\u0003", "\u001a"];
const END = "\u001b[?25h\u001b[?1049l";

/** A shell with job control, whose prompt looks like a question. */
const open = () => openTerminal("PS1='? shell ' bash --norc --noprofile --noediting -i", { columns: 120 });

test("top shows relayers, asks before it pauses one, runs the command, and returns", async () => {
  const session = openTerminal("relayctl --demo top", { columns: 120 });
  await session.sees(/jammed at 7/);
  session.type("/base-hot\r");
  await session.sees(/filter: base-hot/);
  session.type("p");
  await session.sees("Pause base-hot in demo? [y/N]");
  session.type("\r");
  await session.sees(/Canceled\. Nothing was sent\./);
  session.type("p");
  await session.sees("Pause base-hot in demo? [y/N]");
  session.type("y");
  await session.sees(/\$ relayctl --demo relayers pause base-hot[\s\S]*paused[\s\S]*press any key to return to top/);
  session.type("x");
  await session.sees(/‖ base-hot +paused/);
  session.type("q");
  expect(await session.ended).toMatchObject({ exitCode: 0 });
  expect(session.shown().lastIndexOf(END)).toBeGreaterThan(session.shown().lastIndexOf("\u001b[?1049h"));
});

test("top survives Ctrl-Z, fg with a key after it, and a resize meanwhile, and Ctrl-C gives the terminal back", async () => {
  const session = open();
  await session.sees(/\? shell$/);
  session.type("relayctl --demo top\r");
  await session.sees(/jammed at 7/);
  session.type(CTRL_Z);
  await session.sees(/Stopped .*\n\? shell$/);
  expect(session.shown().lastIndexOf(END)).toBeGreaterThan(session.shown().lastIndexOf("\u001b[?1049h"));
  session.resize(60);
  session.type("fg\r?");
  await session.sees(/^demo {3}8 relayers[^\n]*\n +RELAYER +STATE/);
  session.type(CTRL_C);
  await session.sees(/\? shell$/);
  session.type("stty -a | grep -o ' icanon' && exit\r");
  expect(await session.ended).toMatchObject({ exitCode: 0 });
});

const ENDS: readonly (readonly [string, "q" | NodeJS.Signals, number])[] = [
  ["q", "q", 0],
  ["SIGTERM", "SIGTERM", 143],
  ["SIGHUP", "SIGHUP", 129],
  ["an exception", "SIGUSR2", 1],
];

test.each(chosen(ENDS, 3))("after %s the terminal has its screen, its cursor, and its echo", async (_, how, code) => {
  const folder = newFolder();
  writeFileSync(join(folder, "defect.cjs"), 'process.on("SIGUSR2", () => { throw new TypeError("a defect"); });');
  const env = { NODE_OPTIONS: `--require=${join(folder, "defect.cjs")}` };
  const line = "sh -c 'echo $$ >pid; exec relayctl --demo top'; echo code $?; stty -a | grep -oE ' -?(icanon|echo) '";
  const session = openTerminal(line, { columns: 120, folder, env });
  await session.sees(/jammed at 7/);
  if (how === "q") session.type("q");
  else process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), how);
  await session.sees(new RegExp(`code ${code}\\n icanon\\n echo`));
  expect(session.shown().lastIndexOf(END)).toBeGreaterThan(session.shown().lastIndexOf("\u001b[?1049h"));
  expect(session.screen.cursor().isShown).toBe(true);
  if (how === "SIGUSR2") expect(session.screen.lines().join("\n")).toContain("TypeError: a defect");
  await session.ended;
});

test("top exits with 2 in a pipe, and hints at the command that prints the same", async () => {
  const { exitCode, stdout, stderr } = await relayctl(["--demo", "top"]);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("relayctl --demo relayers status --watch 2s");
});
