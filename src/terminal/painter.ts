import { groupDigits } from "../contract/decimal.ts";
import { BEGIN_SCREEN, END_SCREEN } from "./full-screen.ts";
import type { Output } from "./streams/output.ts";
import { cutText, textWithoutColors } from "./text/cut.ts";
import { widthUpTo } from "./width.ts";

const HOME = "\u001b[H";
const CLEAR_REST_OF_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

/** Creates a painter: each picture is written over the previous one. The last row is for progress. */
export function createPainter(stdout: Output) {
  let begun = false;
  const leave = () => {
    const restoring = begun ? END_SCREEN : "";
    begun = false;
    return restoring;
  };
  return {
    /** Returns the sequence that restores them now; the next picture begins again. */
    leave,
    /** @param footer one line below the text, shown even if the text is too long */
    async paint(text: string, footer: string) {
      const last = cutText(footer, stdout.columns);
      const picture =
        paintedRows(stdout) > 0
          ? [...fitLines(text.trimEnd().split("\n"), stdout), last]
              .map((line) => `${line}${CLEAR_REST_OF_LINE}\n`)
              .join("")
          : `${last}${CLEAR_REST_OF_LINE}`;
      const start = begun ? "" : BEGIN_SCREEN;
      begun = true;
      await stdout.write(start + HOME + picture + CLEAR_BELOW);
    },
    end: () => stdout.write(leave()),
  };
}

export function createPaintedScreen(stdout: Output) {
  const painter = createPainter(stdout);
  const ended = new AbortController();
  let latest: { text: () => Promise<string>; footer: string } | undefined;
  let drawing = Promise.resolve();
  const draw = () => {
    drawing = drawing.then(async () => {
      if (latest) await painter.paint(await latest.text(), latest.footer);
    });
    return drawing;
  };
  // A failed write ends the command at its next change.
  const redraw = () => void draw().catch(() => {});
  stdout.onResize(redraw, ended.signal);
  stdout.onStop(painter.leave, redraw, ended.signal);
  return {
    /** @param text called again at each resize @param footer one line below it */
    async show(text: () => Promise<string>, footer: string): Promise<void> {
      latest = { text, footer };
      await draw();
    },
    async end(): Promise<void> {
      ended.abort();
      await painter.end();
    },
  };
}

const FOOTER_AND_FREE_ROW = 2;

export function paintedRows({ rows }: Pick<Output, "rows">): number {
  return rows - FOOTER_AND_FREE_ROW;
}

function fitLines(lines: readonly string[], output: Output): string[] {
  const { columns } = output;
  const all = paintedRows(output);
  const kept: string[] = [];
  let taken = 0;
  let shrunkBy = 0;
  for (const line of lines) {
    taken += paintedRowsTaken(line, columns, all);
    if (taken > all) break;
    kept.push(line);
    if (taken < all) shrunkBy = kept.length;
  }
  if (kept.length === lines.length) return kept;
  return [...kept.slice(0, shrunkBy), `… ${groupDigits(lines.length - shrunkBy)} more lines`];
}

export function paintedRowsTaken(line: string, columns: number, most: number): number {
  return Math.max(1, Math.ceil(widthUpTo(textWithoutColors(line), columns * most + 1) / columns));
}
