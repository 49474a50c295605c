import { type Escaping, escapeCell, escapeText } from "../escape.ts";
import { isSingleWidth } from "../width.ts";
import { createGraphemeMeasure, type Measure } from "./grapheme-width.ts";

const COLOR_OR_LINK = /(\u001b\[[0-9;]*m|\u001b\]8;;[\x21-\x7e]*\u001b\\)/;
const LINK = "\u001b]8;;";
const LINK_END = `${LINK}\u001b\\`;
const PLAIN = "\u001b[0m";

export function textWithoutColors(line: string): string {
  return line
    .split(COLOR_OR_LINK)
    .filter((_, index) => index % 2 === 0)
    .join("");
}

/** Returns a line as a terminal breaks it, where no hash may be cut; colors and links end where it is too long. */
export function breakLine(line: string, columns: number, measure: Measure = createGraphemeMeasure()): string[] {
  let rest = textWithoutColors(line);
  if (measure(rest, columns).end === rest.length) return [line];
  const lines: string[] = [];
  while (rest !== "") {
    const end = Math.max(1, measure(rest, columns).end);
    lines.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return lines;
}

/** Cuts a line with colors and links to a width: both end with it, and nothing else can act. */
export function cutDrawnText(line: string, columns: number, measure: Measure = createGraphemeMeasure()): string {
  let text = "";
  let left = columns;
  let isLinked = false;
  let isColored = false;
  for (const [index, part] of line.split(COLOR_OR_LINK).entries()) {
    if (index % 2 === 1) {
      text += part;
      if (part.startsWith(LINK)) isLinked = part !== LINK_END;
      else isColored = part !== PLAIN;
      continue;
    }
    const shown = escapeText(part.replaceAll("\t", "  "));
    const kept = left > 0 ? shortenText(shown, left, measure) : "";
    text += kept;
    left -= measure(kept).width;
    if (kept !== shown) return text + (isLinked ? LINK_END : "") + (isColored ? PLAIN : "");
  }
  return isLinked ? text + LINK_END : text;
}

export const CUT = "…";

/** The most UTF-16 units per column in any emoji. A text with more is a pile of marks, and is cut. */
const UNITS_PER_COLUMN = 8;

/** Returns the text cut to a width, with `…` as its last column if it is cut. Reads no more than it returns. */
export function shortenText(text: string, most: number, measure: Measure = createGraphemeMeasure()): string {
  if (text.length <= most && isSingleWidth(text)) return text;
  const head = textHead(text, most * UNITS_PER_COLUMN);
  if (head.length === text.length && measure(head, most).end === text.length) return text;
  return head.slice(0, measure(head, most - 1).end) + CUT;
}

/** Returns any text as an escaped cell of this width, without measuring the rest. @param known shared caches */
export function cutText(text: string, most: number, known?: { escaping: Escaping; measure: Measure }): string {
  const head = textHead(text, most * UNITS_PER_COLUMN);
  const shown = escapeCell(head, known?.escaping);
  return shortenText(head.length === text.length ? shown : shown + CUT, most, known?.measure);
}

export function isCutText(text: string, shown: string): boolean {
  return shown.endsWith(CUT) && !text.endsWith(CUT);
}

function textHead(text: string, units: number): string {
  if (text.length <= units) return text;
  const end = Math.max(0, units);
  return text.slice(0, (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end);
}
