import { cut } from "../text/cut.ts";

/** More than a full screen. Every keystroke redraws and wraps the question. */
const LONGEST = 1000;

/** Returns a text for a prompt: escaped, and cut if it is longer than a screen. */
export function shown(text: string): string {
  return cut(text, LONGEST);
}
