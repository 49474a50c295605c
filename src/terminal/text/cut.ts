import { visible } from "../escape.ts";
import { isSingleWidth } from "../width.ts";
import { fitting } from "./grapheme-width.ts";

const MARK = "…";

/**
 * The maximum of UTF-16 units per column in any emoji. A text with more is a pile of marks, and is cut like a text that
 * is too wide.
 */
const UNITS_PER_COLUMN = 8;

/** Returns the text cut to a width, with `…` as its last column if it is cut. Reads no more than it returns. */
export function shortened(text: string, most: number): string {
  if (text.length <= most && isSingleWidth(text)) return text;
  const head = headOf(text, most * UNITS_PER_COLUMN);
  if (head.length === text.length && fitting(head, most).end === text.length) return text;
  return head.slice(0, fitting(head, most - 1).end) + MARK;
}

/** Returns any text, escaped, as a cell of at most this width. The part cut off is neither escaped nor measured. */
export function cut(text: string, most: number): string {
  const head = headOf(text, most * UNITS_PER_COLUMN);
  return shortened(head.length === text.length ? visible(text) : visible(head) + MARK, most);
}

/** Returns whether `cut` removed part of a text. */
export function isCut(text: string, shown: string): boolean {
  return shown.endsWith(MARK) && !text.endsWith(MARK);
}

/** Returns the first UTF-16 units, without half of a character at the end. */
function headOf(text: string, units: number): string {
  if (text.length <= units) return text;
  const end = Math.max(0, units);
  return text.slice(0, (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end);
}
