/** The width of help in a pipe, so that its bytes are always the same. */
export const USUAL_WIDTH = 80;
const NARROWEST = 40;
const WIDEST = 100;
const INDENT = 2;
const GAP = 2;

/** A term and what it means, side by side. */
export interface Row {
  term: string;
  text: string;
}

/** How wide help is drawn on a stream: as its terminal, within what is comfortable to read. */
export function helpWidth({ isTerminal, columns }: { isTerminal: boolean; columns: number }): number {
  return isTerminal ? Math.min(Math.max(columns, NARROWEST), WIDEST) : USUAL_WIDTH;
}

/**
 * Text broken at its spaces to fit a width; the lines after the first are set in. Commander could do it, and takes longer
 * to load than all of this.
 */
export function wrapped(text: string, width: number, indent = 0): string {
  const lines = text.split("\n").flatMap((line) => fitted(line, width - indent));
  return lines.join(`\n${" ".repeat(indent)}`);
}

/** A line as as many lines as it takes; the spaces that it begins with stay. */
function fitted(line: string, width: number): string[] {
  const [first = "", ...words] = line.match(/^ *[^ ]*|[^ ]+/g) ?? [];
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A heading and its rows; nothing without rows. */
export function section(heading: string, rows: readonly Row[], width: number, column = columnOf(rows, width)): string {
  return rows.length === 0 ? "" : [heading, ...rows.map((row) => drawn(row, width, column))].join("\n");
}

/** How wide the terms of rows are, so that all their texts begin in one column and have more than half of the width. */
export function columnOf(rows: readonly Row[], width: number): number {
  return Math.min(Math.max(0, ...rows.map(({ term }) => term.length)), Math.floor(width / 2) - INDENT - GAP);
}

/** A term that is too long for its column has its text below. */
function drawn({ term, text }: Row, width: number, column: number): string {
  const start = INDENT + column + GAP;
  const label = " ".repeat(INDENT) + term;
  const gap = term.length > column ? `\n${" ".repeat(start)}` : " ".repeat(start - label.length);
  return text === "" ? label : label + gap + wrapped(text, width, start);
}

/** Blocks with a blank line between them; empty ones are left out. */
export function page(...blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

const LABEL_COLUMN = 13;
const KEPT_SPACE = "\u0001";

/** A label and what belongs to it, which goes on under itself. */
export function labelled(label: string, parts: readonly string[], width: number): string {
  // A part that fits into a line stays whole.
  const whole = (part: string) => (part.length < width - LABEL_COLUMN ? part.replaceAll(" ", KEPT_SPACE) : part);
  const joined = parts.map(whole).join(`${KEPT_SPACE}· `);
  return label.padEnd(LABEL_COLUMN) + wrapped(joined, width, LABEL_COLUMN).replaceAll(KEPT_SPACE, " ");
}
