import type { TerminalSession } from "./terminal/terminal-session.ts";

/** What is waited for, and what is typed then: names of keys, `down ×6` for a key that is pressed often, else text. */
export interface Step {
  sees: string | RegExp;
  keys: readonly string[];
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

/** Takes steps one after the other, each once the screen is as it says. */
export async function take(
  terminal: TerminalSession,
  steps: readonly Step[],
  seen: (step: Step) => void = () => {},
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    await terminal.sees(step.sees);
    const next = steps[index + 1]?.sees;
    if (next && terminal.shows(next)) throw new Error(`${next} is on the screen before anything is typed for it`);
    seen(step);
    terminal.type(step.keys.map(bytesOf).join(""));
  }
}
