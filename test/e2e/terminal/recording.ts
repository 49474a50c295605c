import { type Step, take } from "../flows/steps.ts";
import type { TerminalWorld } from "./terminal.ts";
import { lastQuestion, openTerminal } from "./terminal-session.ts";

/** A session at a terminal, as text: what the screen shows at each step from the last question on, and what is typed then. */
export async function record(line: string, steps: readonly Step[]): Promise<{ exitCode: number; text: string }> {
  const terminal = openTerminal(line);
  const parts = [`$ ${line}`];
  let from = 0;
  const frame = () => {
    const lines = terminal.screen.lines();
    parts.push(lines.slice(from).join("\n").trimEnd());
    from = lines.length - lastQuestion(terminal.screen).length;
  };
  await take(terminal, steps, (keys) => {
    frame();
    parts.push(`        [${keys.join(", ")}]`);
  });
  const { exitCode } = await terminal.ended;
  frame();
  return { exitCode, text: steady(`${parts.join("\n\n")}\n`) };
}

/** What is on the screen at a time, and what is typed, or done, then. */
export interface Moment {
  sees: RegExp;
  keys?: string;
  /** Set if Ctrl-C is typed. */
  isInterrupted?: true;
  act?(): void;
}

/** A session whose screen is repainted, as text: the whole screen at each moment, and at the end. */
export async function recordLive(
  line: string,
  moments: readonly Moment[],
  world: TerminalWorld,
): Promise<{ exitCode: number; text: string }> {
  const terminal = openTerminal(line, world);
  const parts = [`$ ${line}`];
  const frame = () => parts.push(steady(terminal.screen.lines().join("\n").trimEnd()));
  for (const { sees, keys, isInterrupted, act } of moments) {
    await terminal.sees(sees);
    frame();
    if (keys !== undefined) {
      parts.push(keys === "" ? "        [enter]" : `        [${keys}, enter]`);
      terminal.type(`${keys}\r`);
    }
    if (isInterrupted) {
      parts.push("        [Ctrl-C]");
      terminal.type("\u0003");
    }
    act?.();
  }
  const { exitCode } = await terminal.ended;
  parts.push(steady(lastQuestion(terminal.screen).join("\n").trimEnd()));
  return { exitCode, text: `${parts.join("\n\n")}\n` };
}

const RUN = "run 3f2a91c0 of 2026-11-21T03:12:07.000Z";

/** Replaces times of this machine's clock: of a transaction, below the screen, of events, of a run, and of a rotated key; and blocks. */
function steady(screen: string): string {
  return screen
    .replace(/ · (?:\d+[dhms] ?)+$/gm, " · 12s")
    .replace(/^\d\d:\d\d:\d\dZ(?= · | {2})/gm, "03:12:07Z")
    .replace(/^( {2}time +)\d+s$/gm, (_, start: string) => `${start}12s`)
    .replace(/^run [0-9a-f]{8} of \S+Z/gm, RUN)
    .replace(/(?<=history show | undo |^ {2}run )[0-9a-f]{8}$/gm, "3f2a91c0")
    .replace(/(?<=-)\d{4}-\d\d-\d\d(?=\.key)/g, "2026-11-21")
    .replace(/(?<=\buntil )\d{4}-\d\d-\d\dT[\d:]+Z/g, "2026-11-21T03:12:51Z")
    .replace(/(?<=\buntil )\d{4}-\d\d-\d\d \d\d:\d\dZ/g, "2026-11-21 12:00Z")
    .replace(/(?<=^ {2}block {2})\d+$/gm, "18116162");
}
