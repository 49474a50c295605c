import type { Output } from "./streams/output.ts";

/** A picture on the alternate screen, of which only changed rows are written, without flicker. */
export type FullScreen = ReturnType<typeof createFullScreen>;

/** Switches to the alternate screen without a cursor, and back. */
export const [BEGIN_SCREEN, END_SCREEN] = ["\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l"];
const [TOGETHER, SHOWN] = ["\u001b[?2026h", "\u001b[?2026l"];
const CLEAR_LINE = "\u001b[2K";
const CLEAR_BELOW = "\u001b[J";

export function createFullScreen(stdout: Output) {
  const ended = new AbortController();
  let painted: readonly string[] | undefined;
  const leave = () => {
    const restoring = painted ? END_SCREEN : "";
    painted = undefined;
    return restoring;
  };
  return {
    /** @param lines at most as many as the terminal has rows, each within its width @returns whether anything had changed */
    async paint(lines: readonly string[]): Promise<boolean> {
      if (ended.signal.aborted) return false;
      const before = painted;
      const rows = lines.flatMap((line, row) => (line === before?.[row] ? [] : `${goTo(row)}${CLEAR_LINE}${line}`));
      const isShorter = before === undefined || lines.length < before.length;
      if (rows.length === 0 && !isShorter) return false;
      painted = [...lines];
      const below = isShorter && lines.length < stdout.rows ? goTo(lines.length) + CLEAR_BELOW : "";
      await stdout.write((before ? "" : BEGIN_SCREEN) + TOGETHER + rows.join("") + below + SHOWN);
      return true;
    },
    /** Called when the picture must be repainted: after a resize, or when the process continues after Ctrl-Z. */
    onLoss(repaint: () => void): void {
      const lose = () => {
        // The terminal may have moved the rows.
        if (painted) painted = [];
        repaint();
      };
      stdout.onResize(lose, ended.signal);
      stdout.onStop(leave, repaint, ended.signal);
    },
    /** Restores the previous screen and the cursor. Nothing is painted afterwards. */
    async end(): Promise<void> {
      ended.abort();
      await stdout.write(leave());
    },
  };
}

function goTo(row: number): string {
  return `\u001b[${row + 1};1H`;
}
