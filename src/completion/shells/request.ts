import type { Offer } from "../offer.ts";

/** What a shell asks for, and how it wants to be answered. */
export interface Request {
  /** The words after `relayctl`; the last is the one that is being typed. */
  words: readonly string[];
  /** The lines that its script reads; the first is the kind of the offer. */
  print(offer: Offer): readonly string[];
}

/** Words that the shell has split and unquoted itself. @param before how many stand before the one that is being typed, which may have been lost since it is empty */
export function splitByShell(before: string | undefined, words: readonly string[]): readonly string[] {
  return words.length > Number(before) ? words : [...words, ""];
}
