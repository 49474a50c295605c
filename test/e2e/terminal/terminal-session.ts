import { type IPty, spawn } from "@lydell/node-pty";
import { checked } from "../../helpers/checked.ts";
import { environment, newFolder } from "../relayctl.ts";
import { createScreen, type Screen } from "./screen.ts";
import type { TerminalWorld } from "./terminal.ts";

/** A user at a terminal, who types once they see a text. */
export interface TerminalSession {
  screen: Screen;
  /** Everything that was written to the terminal. */
  shown(): string;
  type(keys: string): void;
  resize(columns: number): void;
  /** Whether the last question holds this text, or the whole screen matches this pattern. A screen that is half painted does neither. */
  shows(text: string | RegExp): boolean;
  /** Waits until it shows this. Fails when the command ends, or prints nothing more, without it. */
  sees(text: string | RegExp): Promise<void>;
  ended: Promise<{ exitCode: number }>;
}

/** Runs a line of bash in a separate terminal. */
export function openTerminal(line: string, world: TerminalWorld = {}): TerminalSession {
  const folder = world.folder ?? newFolder();
  const columns = world.columns ?? 100;
  const terminal = spawn("bash", ["-c", `${line}\n${TELL_EXIT}`], {
    name: world.env?.TERM ?? "xterm-256color",
    cols: columns,
    rows: ROWS,
    cwd: folder,
    env: environment(folder, world.env),
  });
  const screen = createScreen(columns);
  let shown = "";
  let look = () => {};
  const ended = new Promise<number>((resolve) => {
    terminal.onData((text) => {
      shown += text;
      screen.write(text);
      const code = EXIT.exec(shown)?.[1];
      if (code !== undefined) resolve(Number(code));
      look();
    });
  }).then((exitCode) => ({ exitCode, ...checked(line, { stdout: shown, stderr: "", terminal: true }) }));
  ended.catch(() => {});
  onTestFailed(({ task }) => {
    for (const error of task.result?.errors ?? []) error.message += `\nthe screen was:\n${screen.lines().join("\n")}`;
  });
  onTestFinished(() => endTerminal(terminal));
  return {
    screen,
    shown: () => shown,
    shows: (text) => holds(screen, text),
    type: (keys) => terminal.write(keys),
    resize(to) {
      screen.resize(to);
      terminal.resize(to, ROWS);
    },
    sees: (text) =>
      new Promise<void>((resolve, reject) => {
        let silence: NodeJS.Timeout | undefined;
        look = () => {
          clearTimeout(silence);
          if (holds(screen, text)) resolve();
          else if (EXIT.test(shown)) reject(new Error(`it ended without ${text}`));
          else silence = setTimeout(() => reject(new Error(`it does not show ${text}`)), SILENCE);
        };
        look();
      }).finally(() => {
        look = () => {};
      }),
    ended,
  };
}

/** Ends a terminal with all its processes, which would otherwise take the time of other tests. */
export function endTerminal({ pid }: Pick<IPty, "pid">): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All have ended.
  }
}

const ROWS = 40;

/** Milliseconds without any output after which nothing more comes: many times what a busy machine needs for one screen. */
const SILENCE = 180_000;

/** Said in the terminal itself, which then stays open: of a terminal that is closed the last words may be lost. */
export const TELL_EXIT = 'printf "(exit %s)" "$?"; read -r';
export const EXIT = /\(exit (\d+)\)$/;

/** From the last line that asks something, to the end. */
export function lastQuestion(screen: Screen): string[] {
  return screen.lines().slice(startOfQuestion(screen));
}

function startOfQuestion(screen: Screen): number {
  return screen.lines().findLastIndex((line) => line.startsWith("? "));
}

function holds(screen: Screen, text: string | RegExp): boolean {
  if (!isPainted(screen)) return false;
  if (typeof text === "string") return lastQuestion(screen).join("\n").includes(text);
  return text.test(screen.lines().join("\n").trimEnd());
}

/**
 * Whether the last question is complete: the words below a list are painted last, and the cursor returns after a
 * refusal.
 */
function isPainted(screen: Screen): boolean {
  const question = lastQuestion(screen);
  if (question.some((line) => line.startsWith("> ")))
    return /·enter(?:select|confirm)$/.test(question.join("").replaceAll(" ", ""));
  const toCursor = screen.lines().slice(startOfQuestion(screen), screen.cursor().row + 1);
  // A long question is indented from its second line on, like the lines below a receipt or a note.
  const end = toCursor.findIndex((line) => /[:\]](?: |$)/.test(line));
  const below = toCursor.slice(end + 1);
  return below.some((line) => /^\S/.test(line)) || !below.some((line) => line.startsWith("  "));
}
