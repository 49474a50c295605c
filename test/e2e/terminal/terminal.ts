import { type IPty, spawn } from "@lydell/node-pty";
import { checked } from "../../helpers/checked.ts";
import { environment, newFolder, type World } from "../relayctl.ts";
import { EXIT, endTerminal, TELL_EXIT } from "./terminal-session.ts";

export interface TerminalWorld extends World {
  columns?: number;
  /** What is typed, or done, once the text before it has appeared. */
  typed?: readonly { after: string; keys?: string; act?: (terminal: IPty) => void }[];
}

/** Returns what a terminal showed without its colors. */
export function uncolored(shown: string): string {
  return shown.replaceAll(/\u001b\[\d+m/g, "");
}

/** Returns what a line of bash shows in a terminal: stdout and stderr as they came, with escape sequences. */
export function inTerminal(line: string, world: TerminalWorld = {}): Promise<{ exitCode: number; shown: string }> {
  const folder = world.folder ?? newFolder();
  // Bash survives the line's Ctrl-C, so that it can print the exit code.
  const terminal = spawn("bash", ["-c", `trap : INT\n(${line}\n)\n${TELL_EXIT}`], {
    name: world.env?.TERM ?? "xterm-256color",
    cols: world.columns ?? 120,
    rows: 40,
    cwd: folder,
    env: environment(folder, world.env),
  });
  const waiting = [...(world.typed ?? [])];
  let shown = "";
  return new Promise((resolve, reject) => {
    terminal.onData((text) => {
      shown += text;
      const end = EXIT.exec(shown);
      if (end) return finish(Number(end[1]), shown.slice(0, end.index));
      // A busy machine may show what two of them wait for at once.
      for (let next = waiting[0]; next && shown.includes(next.after); next = waiting[0]) {
        waiting.shift();
        if (next.keys !== undefined) terminal.write(next.keys);
        next.act?.(terminal);
      }
    });
    const finish = (exitCode: number, text: string) => {
      endTerminal(terminal);
      try {
        checked(line, { stdout: text, stderr: "", terminal: true });
        resolve({ exitCode, shown: text.replaceAll("\r\n", "\n") });
      } catch (error) {
        reject(error);
      }
    };
  });
}
