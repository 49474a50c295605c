import { fitting } from "./text/grapheme-width.ts";

/** One column each: ASCII, and the signs that this program itself writes. */
const SINGLE = /^[\x20-\x7e·–…→]*$/;

/** Whether each character surely takes one column, and none is one that has to be escaped. */
export function isSingleWidth(text: string): boolean {
  return SINGLE.test(text);
}

/** How many columns of a terminal a text takes: two for CJK and emoji, none for combining marks. */
export function textWidth(text: string): number {
  return isSingleWidth(text) ? text.length : fitting(text).width;
}

/** The same up to a bound, which is where measuring ends. */
export function widthUpTo(text: string, most: number): number {
  if (text.length <= most || isSingleWidth(text)) return Math.min(most, textWidth(text));
  const { width, end } = fitting(text, most);
  return end < text.length ? most : width;
}
