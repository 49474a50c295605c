import type { Block, Row } from "../help/block.ts";
import { codeLines } from "../help/code-lines.ts";
import { escaped, quoted, textLine } from "./roff-text.ts";

/** A page is set in by seven columns. */
const CODE_WIDTH = 73;
/** No word in two and no gaps between them: what is read is pasted. */
const UNBROKEN = [".nh", ".ad l"];

/** What stands around the blocks of a manual page. */
export interface ManualPage {
  /** `relayctl-relayers-update` */
  name: string;
  summary: string;
  blocks: readonly Block[];
  /** The help of what the page has besides, one after the other. */
  parts: readonly ManualPart[];
  /** Names of other pages. */
  see: readonly string[];
}

export interface ManualPart {
  /** `relayctl relayers update` */
  title: string;
  blocks: readonly Block[];
}

/** A manual page in the language of man(7), understood by groff and mandoc alike. */
export function roff({ name, summary, blocks, parts, see }: ManualPage, version: string): string {
  const lines = [
    `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`relayctl ${version}`)} "relayctl"`,
    ...UNBROKEN,
    ...heading("NAME"),
    `${escaped(name)} \\- ${escaped(summary)}`,
    ...blocks.flatMap((block) => (block.kind === "usage" ? [...heading("SYNOPSIS"), ...usage(block.text)] : [])),
    ...heading("DESCRIPTION"),
    ...bodyLines(blocks, heading),
    ...parts.flatMap((part) => [...heading(part.title), ...partLines(part)]),
    ...heading("SEE ALSO"),
    ...see.map((other, index) => `.BR ${escaped(other)} (1)${index < see.length - 1 ? "," : ""}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** How it is typed goes first, as on a page. */
function partLines({ blocks }: ManualPart): string[] {
  const typed = blocks.flatMap((block) => (block.kind === "usage" ? [".PP", ...usage(block.text)] : []));
  return [...typed, ...bodyLines(blocks, subheading)];
}

function usage(text: string): string[] {
  return [`.B ${escaped(text)}`];
}

function bodyLines(blocks: readonly Block[], head: Heading): string[] {
  return blocks
    .filter(({ kind }) => kind !== "usage")
    .flatMap((block, at, shown) => [
      ...(isNote(block, shown[at - 1]) ? head("Notes") : []),
      ...blockLines(block, head),
    ]);
}

/** A text that follows upon something else belongs to none of it. */
function isNote({ kind }: Block, before: Block | undefined): boolean {
  return kind === "text" && before !== undefined && before.kind !== "text";
}

function blockLines(block: Block, head: Heading): string[] {
  switch (block.kind) {
    case "text":
      return block.text.split("\n\n").flatMap(paragraph);
    case "usage":
      return usage(block.text);
    case "code":
      return [
        ...head(block.heading),
        ...verbatim(block.lines.flatMap((line) => codeLines(line, CODE_WIDTH).split("\n"))),
      ];
    case "sections":
      return block.sections.flatMap(({ heading: title, rows }) =>
        rows.length === 0 ? [] : [...head(title), ...rows.flatMap(({ term, text }) => item(term, text))],
      );
    case "facts":
      return block.facts.flatMap(({ label, rows }) => [...head(label), ...factLines(rows)]);
  }
}

type Heading = (title: string) => string[];

function heading(title: string): string[] {
  return [`.SH ${quoted(title.toUpperCase())}`];
}

function subheading(title: string): string[] {
  return [`.SS ${quoted(title)}`];
}

/** Lines that are set in stay as they are. */
function paragraph(text: string): string[] {
  const lines = text.split("\n");
  return text.startsWith(" ") ? verbatim(lines) : [".PP", ...lines.map(textLine)];
}

function verbatim(lines: readonly string[]): string[] {
  return [".PP", ".EX", ...lines.map(textLine), ".EE"];
}

/** What its terms alone say goes on one line. */
function factLines(rows: readonly Row[]): string[] {
  const alone = rows.every(({ text }) => text === "");
  return alone
    ? [textLine(rows.map(({ term }) => term).join(", "))]
    : rows.flatMap(({ term, text }) => item(term, text));
}

function item(term: string, text: string): string[] {
  return [".TP", `.B ${escaped(term)}`, textLine(text)];
}
