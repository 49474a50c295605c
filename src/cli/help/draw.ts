import { type ColorChoice, type ColorEnvironment, hasColor } from "../../terminal/capabilities.ts";
import type { Output } from "../../terminal/streams/output.ts";
import { type Block, type HelpFact, helpCodeLines, type Row, type Section } from "./block.ts";

const INDENT = 2;
const GAP = 2;
const LABEL_COLUMN = 13;
const KEPT_SPACE = "\u0001";
const USAGE = "Usage: ";

export interface Layout {
  width: number;
  isBold: boolean;
}

/** For a pipe, where the bytes of help never change. */
export const PLAIN_LAYOUT: Layout = { width: 80, isBold: false };

export function drawHelp(blocks: readonly Block[], layout: Layout): string {
  const texts = blocks.map((block) => drawBlock(block, layout));
  return `${texts.filter((text) => text !== "").join("\n\n")}\n`;
}

/** Breaks a text at its spaces to fit a width, with indents. Commander can do so too, but loads slowly. */
function wrapHelp(text: string, width: number, indent = 0): string {
  return fitHelp(text, width - indent).join(`\n${" ".repeat(indent)}`);
}

function fitHelp(text: string, width: number): string[] {
  if (text.length <= width && !text.includes("\n")) return [text];
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    let start = 0;
    for (let end = endOfLine(line, start, width); end >= 0; end = endOfLine(line, start, width)) {
      lines.push(line.slice(start, end));
      start = end + 1;
    }
    lines.push(line.slice(start));
  }
  return lines;
}

/** Returns where a line ends that starts here: at the last space within the width, or the first beyond. The last has none. */
function endOfLine(text: string, start: number, width: number): number {
  if (text.length - start <= width) return -1;
  const last = text.lastIndexOf(" ", start + width);
  return last > start ? last : text.indexOf(" ", start + width);
}

function drawBlock(block: Block, layout: Layout): string {
  const { width } = layout;
  switch (block.kind) {
    case "text":
      return wrapHelp(block.text, width);
    case "usage":
      return `${drawHeading("Usage:", layout)} ${wrapHelp(block.text, width, USAGE.length)}`;
    case "code":
      return [drawHeading(block.heading, layout), ...block.lines.map((line) => helpCodeLines(line, width))].join("\n");
    case "sections":
      return drawSections(block.sections, layout, block.apart ? "\n\n" : "\n");
    case "facts":
      return block.facts.map((fact) => drawFact(fact, layout)).join("\n");
  }
}

function drawSections(sections: readonly Section[], layout: Layout, between: string): string {
  const shown = sections.filter(({ rows }) => rows.length > 0);
  const { width } = layout;
  const column = termWidth(shown, width);
  const texts = shown.map((section) =>
    [drawHeading(section.heading, layout), ...section.rows.map((row) => drawRow(row, width, column))].join("\n"),
  );
  return texts.join(between);
}

/** Returns the width of the terms that makes the page shortest, so that texts keep more than half of it. */
function termWidth(sections: readonly Section[], width: number): number {
  const rows = sections.flatMap((section) => section.rows);
  const most = Math.floor(width / 2) - INDENT - GAP;
  const columns = [...new Set(rows.map(({ term }) => Math.min(term.length, most)))].sort((one, other) => other - one);
  const lengths = columns.map((column) =>
    rows.reduce((sum, { term, text }) => {
      const ownLine = text !== "" && term.length > column ? 1 : 0;
      return sum + ownLine + fitHelp(text, width - INDENT - column - GAP).length;
    }, 0),
  );
  return columns[lengths.indexOf(Math.min(...lengths))] ?? 0;
}

function drawRow({ term, text }: Row, width: number, column: number): string {
  const start = INDENT + column + GAP;
  const label = " ".repeat(INDENT) + wrapHelp(term, width, INDENT);
  const gap = term.length > column ? `\n${" ".repeat(start)}` : " ".repeat(start - label.length);
  return text === "" ? label : label + gap + wrapHelp(text, width, start);
}

function drawFact({ label, rows }: HelpFact, layout: Layout): string {
  const parts = rows.map(({ term, text }) => (text === "" ? term : `${term} ${text}`));
  // Not broken if it fits on one line; a longer one keeps its code and first word together.
  const { width } = layout;
  const whole = (part: string) =>
    part.length < width - LABEL_COLUMN ? part.replaceAll(" ", KEPT_SPACE) : part.replace(" ", KEPT_SPACE);
  const joined = parts.map(whole).join(`${KEPT_SPACE}· `);
  return (
    drawHeading(label, layout) +
    " ".repeat(LABEL_COLUMN - label.length) +
    wrapHelp(joined, width, LABEL_COLUMN).replaceAll(KEPT_SPACE, " ")
  );
}

const NARROWEST = 40;
const WIDEST = 100;

type Stream = Pick<Output, "isTerminal" | "columns">;

export function helpLayout(stream: Stream, env: ColorEnvironment, color: ColorChoice = "auto"): Layout {
  if (!stream.isTerminal) return { ...PLAIN_LAYOUT, isBold: hasColor(env, color, false) };
  const width = Math.min(Math.max(stream.columns, NARROWEST), WIDEST);
  return { width, isBold: hasColor(env, color, true) };
}

function drawHeading(text: string, { isBold }: Pick<Layout, "isBold">): string {
  return isBold ? `\u001b[1m${text}\u001b[22m` : text;
}
