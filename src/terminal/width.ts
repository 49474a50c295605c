import { fitting } from "./text/grapheme-width.ts";

/** Matches characters of one column: ASCII, and the signs that this program itself writes. */
const SINGLE = /^[\x20-\x7e·–…→]*$/;

/** Returns whether each character certainly takes one column and needs no escaping. */
export function isSingleWidth(text: string): boolean {
  return SINGLE.test(text);
}

/** Returns how many terminal columns a text takes: two for CJK and emoji, none for combining marks. */
export function textWidth(text: string): number {
  return isSingleWidth(text) ? text.length : fitting(text).width;
}

/** Returns the width of a text, measured only up to a bound. */
export function widthUpTo(text: string, most: number): number {
  if (text.length <= most || isSingleWidth(text)) return Math.min(most, textWidth(text));
  const { width, end } = fitting(text, most);
  return end < text.length ? most : width;
}
