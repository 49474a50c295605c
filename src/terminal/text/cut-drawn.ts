import { visible } from "../escape.ts";
import { shortened } from "./cut.ts";
import { createMeasure, type Measure } from "./grapheme-width.ts";

const COLOR_OR_LINK = /(\u001b\[[0-9;]*m|\u001b\]8;;[\x21-\x7e]*\u001b\\)/;
const LINK = "\u001b]8;;";
const LINK_END = `${LINK}\u001b\\`;
const PLAIN = "\u001b[0m";

/** Returns a line with colors and links cut to a width: nothing else in it can act, and links and colors end with it. */
export function cutDrawn(line: string, columns: number, measure: Measure = createMeasure()): string {
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
    const shown = visible(part.replaceAll("\t", "  "));
    const kept = left > 0 ? shortened(shown, left, measure) : "";
    text += kept;
    left -= measure(kept).width;
    if (kept !== shown) return text + (isLinked ? LINK_END : "") + (isColored ? PLAIN : "");
  }
  return isLinked ? text + LINK_END : text;
}
