import type { Cell, Tone } from "./view.ts";

/** Colors an escaped text. Color only repeats what a word says. */
export interface Style {
  cell(cell: Cell): string;
  faint(text: string): string;
}

const PLAIN: Style = { cell: ({ text }) => text, faint: (text) => text };

/** Creates the colors of a stream. Without color the library is not loaded. */
export async function createStyle(color: boolean): Promise<Style> {
  if (!color) return PLAIN;
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: 1 });
  const tones: Record<Tone, (text: string) => string> = {
    good: chalk.green,
    warn: chalk.yellow,
    bad: chalk.red,
    faint: chalk.dim,
  };
  return { cell: ({ text, tone }) => (tone ? tones[tone](text) : text), faint: chalk.dim };
}
