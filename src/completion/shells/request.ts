import type { Offer } from "../offer.ts";

/** A shell's request, and the format of its response. */
export interface Request {
  /** The words after `relayctl`; the last is the word being typed. */
  words: readonly string[];
  /** Returns the lines that the script reads; the first is the kind of the offer. */
  print(offer: Offer): readonly string[];
}

/**
 * Returns words that the shell has split and unquoted. @param before the number of words before the current one, which
 * may be lost because it is empty
 */
export function splitByShell(before: string | undefined, words: readonly string[]): readonly string[] {
  return words.length > Number(before) ? words : [...words, ""];
}
