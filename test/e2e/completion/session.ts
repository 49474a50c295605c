import { spawn } from "@lydell/node-pty";
import { checked } from "../../helpers/checked.ts";
import { environment, newFolder, relayctl, type World } from "../relayctl.ts";
import { endTerminal } from "../terminal/terminal-session.ts";
import type { InteractiveShell } from "./shells.ts";

export interface Session {
  /** Types keys, and waits until the terminal shows this after them. Gives what it showed, without escape sequences. */
  type(keys: string, until: RegExp): Promise<string>;
  /** Types a line and TAB, and gives the line as the shell completed it. Then the line is empty again. */
  completed(line: string): Promise<string>;
}

const READY = /READY> $/;
const SHOW = "\u0007";
const CLEAR = "\u0015";

export async function startSession(shell: InteractiveShell, world: World): Promise<Session> {
  const folder = world.folder ?? newFolder();
  const env = { ...environment(folder, world.env), TERM: "xterm" };
  const terminal = spawn(shell.name, [...shell.argv], { name: "xterm", cols: 120, rows: 40, cwd: folder, env });
  let shown = "";
  let heard = () => {};
  terminal.onData((text) => {
    shown += text.replace(DRAWING, "");
    heard();
  });
  onTestFinished(() => endTerminal(terminal));
  const type = (keys: string, until: RegExp) =>
    new Promise<string>((resolve) => {
      shown = "";
      heard = () => {
        if (!until.test(shown)) return;
        checked(`in ${shell.name}`, { stdout: shown, stderr: "", terminal: true });
        resolve(shown);
      };
      terminal.write(keys);
    });
  await type(`${shell.setUp}\r`, READY);
  return {
    type,
    async completed(line) {
      const text = await type(`${line}\t${SHOW}`, /<[^<>]*>/);
      await type(CLEAR + SHOW, /<>/);
      return /<([^<>]*)>/.exec(text)?.[1] ?? "";
    },
  };
}

/** What a line editor draws with: sequences, backspaces and bells. */
const DRAWING = /\u001b(?:\[[0-9;?]*[a-zA-Z]|[=>]|\][^\u0007]*\u0007|\([A-Z0-9])|[\u0007\u0008\r]/g;

/** Asks until the IDs are kept: on a busy machine, the first responses may come too late. */
export async function keepIds(line: string, world: World): Promise<void> {
  const words = line.split(" ").slice(1);
  for (let tries = 0; tries < 40; tries++) {
    const { stdout } = await relayctl(["__complete", "fish", String(words.length - 1), "--", ...words], world);
    if (stdout.split("\n").length > 2) return;
  }
  throw new Error(`nothing was ever kept for: ${line}`);
}
