import { createMeasure, type Measure } from "./text/grapheme-width.ts";

/** Matches characters of one column: ASCII, and the signs that this program itself writes. */
const SINGLE = /^[\x20-\x7e·–…→]*$/;

/** Returns whether each character certainly takes one column and needs no escaping. */
export function isSingleWidth(text: string): boolean {
  return SINGLE.test(text);
}

/**
 * Returns how many terminal columns a text takes: two for CJK and emoji, none for combining marks.
 * @param measure shared by many texts
 */
export function textWidth(text: string, measure?: Measure): number {
  return isSingleWidth(text) ? text.length : (measure ?? createMeasure())(text).width;
}

/** Returns the width of a text, measured only up to a bound. */
export function widthUpTo(text: string, most: number, measure?: Measure): number {
  if (text.length <= most || isSingleWidth(text)) return Math.min(most, textWidth(text, measure));
  const { width, end } = (measure ?? createMeasure())(text, most);
  return end < text.length ? most : width;
}
