import type { CommandSyntax } from "../../commands/command.ts";

export interface Row {
  term: string;
  text: string;
}

export interface Section {
  heading: string;
  rows: readonly Row[];
}

export interface HelpFact {
  label: string;
  rows: readonly Row[];
}

export type Block =
  | { kind: "text"; text: string }
  | { kind: "usage"; text: string }
  | { kind: "code"; heading: string; lines: readonly string[] }
  /** The texts of all sections share a column. `apart` puts a blank line between sections. */
  | { kind: "sections"; sections: readonly Section[]; apart?: true }
  | { kind: "facts"; facts: readonly HelpFact[] };

export function helpSection(heading: string, rows: readonly Row[]): Block {
  return { kind: "sections", sections: [{ heading, rows }] };
}

export function helpTerms(terms: readonly string[]): Row[] {
  return terms.map((term) => ({ term, text: "" }));
}

export function helpText(text: string): Block {
  return { kind: "text", text };
}

export interface Topic {
  summary: string;
  page: () => Promise<TopicPage>;
}

/** @param program the tree, with the common flags on it */
export type TopicPage = (program: CommandSyntax) => Block[] | Promise<Block[]>;

const INDENT = "  ";
/** Words of a command; a quoted one may have spaces. */
const WORDS = /(?:'[^']*'|\S)+/g;

export function helpCodeLines(line: string, width: number): string {
  const most = width - INDENT.length - " \\".length;
  if (line.length <= most) return INDENT + line;
  const lines: string[] = [];
  const parts = line
    .split(/ (?=--?[a-z])/i)
    .flatMap((part) => (part.length > most ? (part.match(WORDS) ?? part) : part));
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${part}`.length <= most) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(last === undefined ? part : `${INDENT}${part}`);
  }
  return INDENT + lines.join(` \\\n${INDENT}`);
}
