import type { ScreenCell } from "../../e2e/terminal/screen.ts";
import type { Frame } from "./svg.ts";

/** The look of a sign at the start of a line. */
const SIGNS: Readonly<Record<string, readonly number[]>> = { "✓": [32], "✗": [31], "?": [36], $: [2] };

/** How many seconds a screen is shown, and how many if it is read: before something is typed, and at the end. */
const [SHORT, LONG] = [2, 6];

/** Returns the screens of a recorded session in docs/sessions, below the line that was typed; keys appear where they are typed. */
export function framesOf(session: string): Frame[] {
  const [line = "", ...parts] = session.replace(/\n\(exit \d+\)\n*$/, "").split(/\n\n+(?=\S|\s+\[)/);
  const screens = parts.map((part, at) => {
    const typed = /^\s+\[(\w+), enter\]$/.exec(part)?.[1];
    return typed === undefined ? part : `${parts[at - 1]} ${typed}`;
  });
  const frames = [line, ...screens.map((screen) => `${line}\n${screen}`)];
  const isRead = (at: number) => at === frames.length - 1 || parts[at]?.trimStart().startsWith("[");
  return frames.map((text, at) => ({ screen: cellsOf(text), seconds: isRead(at) ? LONG : SHORT }));
}

function cellsOf(text: string): ScreenCell[][] {
  return text
    .split("\n")
    .map((line) =>
      Array.from(line, (character, column) => ({ character, codes: (column === 0 && SIGNS[character]) || [] })),
    );
}
