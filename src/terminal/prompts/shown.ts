import { cut } from "../text/cut.ts";

/** More than a screen of it. Each key that is typed draws a question again, and breaks it into lines. */
const LONGEST = 1000;

/** A text of a question as it is shown: it cannot act on a terminal, and is cut where it is longer than anybody reads. */
export function shown(text: string): string {
  return cut(text, LONGEST);
}
