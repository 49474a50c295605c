/** The meaning of a word, for color output: `good` green, `warn` yellow, `bad` red, `faint` dim. */
export type Tone = "good" | "warn" | "bad" | "faint";

export interface Cell {
  text: string;
  tone?: Tone | undefined;
  /** A time in milliseconds since 1970, which a terminal shows with its age, or as its age in a table. */
  time?: number | undefined;
}

/** A name with texts, each on a separate line, and below them facts in columns. */
interface ScreenEntry {
  name: string;
  words: readonly string[];
  facts?: readonly string[];
}

/**
 * One line of a screen: a label, then one entry, or as many names as fit and the number of the others. If a line is
 * marked or not, all have room for the mark of a change.
 */
export type ScreenLine = { label: Cell; isMarked?: boolean } & (ScreenEntry | { names: readonly string[] });
