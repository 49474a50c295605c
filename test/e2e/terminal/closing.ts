import { spawn } from "@lydell/node-pty";
import { checked } from "../../helpers/checked.ts";
import { environment } from "../relayctl.ts";
import { endTerminal } from "./terminal-session.ts";

/** A shell adds the number of the signal that ended a process. */
const EXIT_CODE_OF_SIGNALS = 128;

/** A terminal that can be closed while a command runs. */
export interface ClosingTerminal {
  sees(text: string): Promise<void>;
  type(keys: string): void;
  /** Closes the terminal, which sends SIGHUP twice, and gives the exit code. */
  close(): Promise<number>;
}

/** Runs a command as the first process of a terminal that can be closed. */
export function inClosing(
  command: string,
  { env, folder }: { env: Record<string, string>; folder: string },
): ClosingTerminal {
  const terminal = spawn("bash", ["-c", `exec relayctl ${command}`], {
    name: "xterm-256color",
    cols: 120,
    rows: 40,
    cwd: folder,
    env: environment(folder, env),
  });
  onTestFinished(() => endTerminal(terminal));
  let shown = "";
  let look = () => {};
  terminal.onData((text) => {
    shown += text;
    look();
  });
  return {
    type: (keys) => terminal.write(keys),
    sees: (text) =>
      new Promise<void>((resolve) => {
        look = () => shown.includes(text) && resolve();
        look();
      }),
    close: () =>
      new Promise<number>((resolve) => {
        terminal.onExit(({ exitCode, signal = 0 }) => {
          checked(command, { stdout: shown, stderr: "", terminal: true });
          // The second SIGHUP can end a process that has removed its handlers to exit after the first.
          resolve(signal > 0 ? EXIT_CODE_OF_SIGNALS + signal : exitCode);
        });
        (terminal as unknown as { destroy(): void }).destroy();
      }),
  };
}
