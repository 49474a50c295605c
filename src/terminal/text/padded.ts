import { widthUpTo } from "../width.ts";

/**
 * The widest that a column is made, and the widest that free text is shown in one. An id, an address, or a hash that is
 * wider is shown whole and sticks out of its column, so that no other row is padded to its width.
 */
export const WIDEST = 120;

/** Returns how wide a column is made for these texts, which are escaped already. */
export function columnWidth(texts: Iterable<string>): number {
  let widest = 0;
  for (const text of texts) widest = Math.max(widest, widthUpTo(text, WIDEST));
  return widest;
}

/** Returns the text with spaces after it up to a width; a wider text as it is. */
export function padded(text: string, width: number): string {
  return text + spacesAfter(text, width);
}

/** Returns the spaces that are missing from a text up to a width. */
export function spacesAfter(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - widthUpTo(text, width)));
}
