import stringWidth from "string-width";

/** One column each: ASCII, and the signs that this program itself writes. */
const SINGLE = /^[\x20-\x7e·–…→]*$/;

/** Whether each character surely takes one column, and none is one that has to be escaped. */
export function isSingleWidth(text: string): boolean {
  return SINGLE.test(text);
}

/** How many columns of a terminal a text takes: two for CJK and emoji, none for combining marks. */
export function textWidth(text: string): number {
  return isSingleWidth(text) ? text.length : stringWidth(text);
}

/** The text cut to a width, with `…` as its last column when something is gone. */
export function shortened(text: string, most: number): string {
  if (textWidth(text) <= most) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter("en").segment(text)) {
    if (textWidth(kept + segment) >= most) break;
    kept += segment;
  }
  return `${kept}…`;
}
