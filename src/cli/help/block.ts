/** A term and what it means, side by side. */
export interface Row {
  term: string;
  text: string;
}

export interface Section {
  heading: string;
  rows: readonly Row[];
}

/** A label and what belongs to it, each in a few words. */
export interface Fact {
  label: string;
  rows: readonly Row[];
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

/** Terms that say enough alone. */
export function termsOf(terms: readonly string[]): Row[] {
  return terms.map((term) => ({ term, text: "" }));
}

export function textOf(text: string): Block {
  return { kind: "text", text };
}
