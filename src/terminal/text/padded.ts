import { widthUpTo } from "../width.ts";
import { createMeasure } from "./grapheme-width.ts";

/**
 * The maximum width of a column, and of free text in it. A wider ID, address, or hash is shown whole and overflows its
 * column, so that no other row is padded to its width.
 */
export const WIDEST = 120;

/** Returns the width of a column for these escaped texts. */
export function columnWidth(texts: Iterable<string>): number {
  const measure = createMeasure();
  let widest = 0;
  for (const text of texts) widest = Math.max(widest, widthUpTo(text, WIDEST, measure));
  return widest;
}

/** Returns the text padded with spaces to a width; a wider text unchanged. */
export function padded(text: string, width: number): string {
  return text + spacesAfter(text, width);
}

/** Returns the spaces that pad a text to a width. */
export function spacesAfter(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - widthUpTo(text, width)));
}
