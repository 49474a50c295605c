import { visible } from "../escape.ts";
import { isSingleWidth } from "../width.ts";
import { fitting } from "./grapheme-width.ts";

const MARK = "…";

/** No emoji takes more UTF-16 units for each of its columns. A text of more is a pile of marks, and is cut like one that is too wide. */
const UNITS_PER_COLUMN = 8;

/** Returns the text cut to a width, with `…` as its last column when something is gone. Looks at no more than it returns. */
export function shortened(text: string, most: number): string {
  if (text.length <= most && isSingleWidth(text)) return text;
  const head = headOf(text, most * UNITS_PER_COLUMN);
  if (head.length === text.length && fitting(head, most).end === text.length) return text;
  return head.slice(0, fitting(head, most - 1).end) + MARK;
}

/** Returns any text, escaped, as a cell that is at most so wide. What is cut away is neither escaped nor measured. */
export function cut(text: string, most: number): string {
  const head = headOf(text, most * UNITS_PER_COLUMN);
  return shortened(head.length === text.length ? visible(text) : visible(head) + MARK, most);
}

/** Whether something of a text is gone from what `cut` returned for it. */
export function isCut(text: string, shown: string): boolean {
  return shown.endsWith(MARK) && !text.endsWith(MARK);
}

/** The first so many units, without half of a character at the end. */
function headOf(text: string, units: number): string {
  if (text.length <= units) return text;
  const end = Math.max(0, units);
  return text.slice(0, (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end);
}
