import { visible } from "./escape.ts";
import type { Output } from "./streams.ts";
import { shortened, textWidth } from "./width.ts";

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

/** One write for each picture, over the one before: nothing flickers. The last row stays free for a progress line. */
export function createPainter(stdout: Output): Painter {
  let begun = false;
  return {
    async paint(text, footer) {
      const lines = [...fitting(text.trimEnd().split("\n"), stdout), shortened(visible(footer), stdout.columns)];
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
  const rowsOf = (line: string) => Math.max(1, Math.ceil(textWidth(line) / columns));
  let room = rows - FOOTER_AND_FREE_ROW;
  if (lines.reduce((sum, line) => sum + rowsOf(line), 0) <= room) return [...lines];
  const kept: string[] = [];
  for (const line of lines) {
    room -= rowsOf(line);
    if (room < 1) break;
    kept.push(line);
  }
  return [...kept, `… ${lines.length - kept.length} more lines`];
}
