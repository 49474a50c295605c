import type { Cell } from "./cell.ts";

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
