/** A term and its meaning. */
export interface Row {
  term: string;
  text: string;
}

export interface Section {
  heading: string;
  rows: readonly Row[];
}

/** A label with short rows. */
export interface Fact {
  label: string;
  rows: readonly Row[];
}

/** One part of a help page, before it is drawn for a terminal or written as a man page. */
export type Block =
  | { kind: "text"; text: string }
  /** The usage line of a command. */
  | { kind: "usage"; text: string }
  /** Shell commands. */
  | { kind: "code"; heading: string; lines: readonly string[] }
  /** The texts of all sections share a column. `apart` puts a blank line between sections. */
  | { kind: "sections"; sections: readonly Section[]; apart?: true }
  | { kind: "facts"; facts: readonly Fact[] };

/** Returns a block with one section. */
export function sectionOf(heading: string, rows: readonly Row[]): Block {
  return { kind: "sections", sections: [{ heading, rows }] };
}

/** Returns rows for terms that need no text. */
export function termsOf(terms: readonly string[]): Row[] {
  return terms.map((term) => ({ term, text: "" }));
}

export function textOf(text: string): Block {
  return { kind: "text", text };
}
