import type { SignName } from "./signs.ts";

/** The meaning of a word, for color output: `good` green, `warn` yellow, `bad` red, `faint` dim. */
export type Tone = "good" | "warn" | "bad" | "faint";

export interface Cell {
  text: string;
  tone?: Tone | undefined;
  /** A time in milliseconds since 1970, which a terminal shows with its age, or as its age in a table. */
  time?: number | undefined;
}

interface ScreenEntry {
  name: string;
  words: readonly string[];
  /** A word at the right edge, next to the first text if both fit. */
  aside?: string;
  facts?: readonly string[];
  /** Labeled texts below; one that is a single word is never broken. */
  rows?: readonly (readonly [label: string, text: string])[];
}

interface Label extends Cell {
  sign?: SignName;
  keepsText?: true;
}

/**
 * One line of a screen: a label, then one entry, or as many names as fit and the number of the others. If a line is
 * marked or not, all have room for the mark of a change. A heading begins a group.
 */
export type ScreenLine =
  | { heading: string }
  | ({ label: Label; isMarked?: boolean } & (ScreenEntry | { names: readonly string[] }));
