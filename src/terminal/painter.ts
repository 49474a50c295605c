import type { Output } from "./streams.ts";
import { cut } from "./text/cut.ts";
import { widthUpTo } from "./width.ts";

/** A text that is painted over and over on a screen of its own, so that whatever the size becomes nothing of it is left. */
export interface Painter {
  /** @param footer one line below the text, kept when the text is too long for the screen */
  paint(text: string, footer: string): Promise<void>;
  /** Gives back the screen as it was, and the cursor. */
  end(): Promise<void>;
}

/** The other screen without a cursor, and back. */
const BEGIN = "\u001b[?1049h\u001b[?25l";
const END = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const CLEAR_REST_OF_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";
const COLOR = /\u001b\[[0-9]+m/g;

/** One write for each picture, over the one before: nothing flickers. The last row stays free for a progress line. */
export function createPainter(stdout: Output): Painter {
  let begun = false;
  return {
    async paint(text, footer) {
      const lines = [...fitting(text.trimEnd().split("\n"), stdout), cut(footer, stdout.columns)];
      const picture = lines.map((line) => `${line}${CLEAR_REST_OF_LINE}\n`).join("");
      const start = begun ? "" : BEGIN;
      begun = true;
      await stdout.write(start + HOME + picture + CLEAR_BELOW);
    },
    async end() {
      if (begun) await stdout.write(END);
      begun = false;
    },
  };
}

const FOOTER_AND_FREE_ROW = 2;

/** As many lines as there is room for, counting those that the terminal breaks; and how many are left. */
function fitting(lines: readonly string[], { columns, rows }: Output): string[] {
  const all = rows - FOOTER_AND_FREE_ROW;
  const rowsOf = (line: string) => Math.max(1, Math.ceil(widthUpTo(withoutColor(line), columns * all + 1) / columns));
  const kept: string[] = [];
  let taken = 0;
  let takenLess = 0;
  for (const line of lines) {
    taken += rowsOf(line);
    if (taken > all) break;
    kept.push(line);
    if (taken < all) takenLess = kept.length;
  }
  if (kept.length === lines.length) return kept;
  return [...kept.slice(0, takenLess), `… ${lines.length - takenLess} more lines`];
}

/** The colors are the only sequences in a text that was escaped, and take no columns. */
function withoutColor(line: string): string {
  return line.replace(COLOR, "");
}
