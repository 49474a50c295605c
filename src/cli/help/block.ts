/** A term and what it means, side by side. */
export interface Row {
  term: string;
  text: string;
}

export interface Section {
  heading: string;
  rows: readonly Row[];
}

/** A label and what belongs to it. */
export interface Fact {
  label: string;
  parts: readonly string[];
}

/** One part of a page of help, before it is drawn for a terminal or written as a manual page. */
export type Block =
  | { kind: "text"; text: string }
  /** How a command is typed. */
  | { kind: "usage"; text: string }
  /** Lines for a shell. */
  | { kind: "code"; heading: string; lines: readonly string[] }
  /** All of one block have their texts in the same column. `apart`: with a blank line between them. */
  | { kind: "sections"; sections: readonly Section[]; apart?: true }
  | { kind: "facts"; facts: readonly Fact[] };

/** One section that stands alone. */
export function sectionOf(heading: string, rows: readonly Row[]): Block {
  return { kind: "sections", sections: [{ heading, rows }] };
}

export function textOf(text: string): Block {
  return { kind: "text", text };
}
