import type { Screen } from "../terminal/screen.ts";
import { lastQuestion, type TerminalSession } from "../terminal/terminal-session.ts";

/** Names of keys, `down ×6` for a key that is pressed often, else text. */
type Keys = readonly string[];

/** What is waited for, and what is typed then; `mark` finds the keys on the screen. */
export interface Step {
  sees: string | RegExp;
  keys: Keys | ((screen: Screen) => Keys);
}

const KEYS: Readonly<Record<string, string>> = {
  up: "\u001b[A",
  down: "\u001b[B",
  space: " ",
  enter: "\r",
  backspace: "\u007f",
  "Ctrl-C": "\u0003",
  "Ctrl-D": "\u0004",
};

function bytesOf(key: string): string {
  const [, name = key, count = "1"] = /^(\S+) ×(\d+)$/.exec(key) ?? [];
  return (KEYS[name] ?? name).repeat(Number(count));
}

/** Marks entries of the list on the screen, from the top down: with the arrows, or by number. */
export function mark(...entries: readonly string[]): (screen: Screen) => Keys {
  return (screen) => {
    const rows = lastQuestion(screen).filter((line) => /^[> ] \[[ x]] /.test(line));
    if (rows.length === 0) return [entries.map((entry) => numberOf(screen, entry)).join(" ")];
    let cursor = rows.findIndex((row) => row.startsWith(">"));
    return entries.flatMap((entry) => {
      const place = rows.findIndex((row) => `${row} `.startsWith(`${entry} `, "> [ ] ".length));
      if (place < cursor) throw new Error(`the list on the screen has no entry ${entry} from the cursor on`);
      const steps = place - cursor;
      cursor = place;
      return [...(steps === 0 ? [] : [steps === 1 ? "down" : `down ×${steps}`]), "space"];
    });
  };
}

function numberOf(screen: Screen, entry: string): string {
  const rows = screen.lines().map((line) => /^ +(\d+) {2}(.*)$/.exec(line) ?? []);
  const [, number] = rows.findLast(([, , name = ""]) => `${name} `.startsWith(`${entry} `)) ?? [];
  if (number === undefined) throw new Error(`the list on the screen has no number for the entry ${entry}`);
  return number;
}

/** Takes steps one after the other, each once the screen is as it says. */
export async function take(
  terminal: TerminalSession,
  steps: readonly Step[],
  seen: (keys: Keys) => void = () => {},
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    await terminal.sees(step.sees);
    const next = steps[index + 1]?.sees;
    if (next && terminal.shows(next)) throw new Error(`${next} is on the screen before anything is typed for it`);
    const keys = typeof step.keys === "function" ? step.keys(terminal.screen) : step.keys;
    seen(keys);
    terminal.type(keys.map(bytesOf).join(""));
  }
}
