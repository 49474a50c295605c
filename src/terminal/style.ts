import type { Cell, Tone } from "./view.ts";

/** Colors an escaped text. Color only repeats what a word says. */
export interface Style {
  cell(cell: Cell): string;
  faint(text: string): string;
  /** The deciding part: an amount and its receiver, a title, the ID in a receipt. */
  strong(text: string): string;
  alarm(text: string): string;
  inverse(text: string): string;
  /** The mark of a question, in cyan. */
  asking(text: string): string;
}

const keepText = (text: string) => text;
const PLAIN: Style = {
  cell: ({ text }) => text,
  faint: keepText,
  strong: keepText,
  alarm: keepText,
  inverse: keepText,
  asking: keepText,
};

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
  const cell = ({ text, tone }: Cell) => (tone ? tones[tone](text) : text);
  const { dim: faint, bold: strong, inverse, cyan: asking } = chalk;
  return { cell, faint, strong, alarm: chalk.red.bold, inverse, asking };
}
