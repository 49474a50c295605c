import { createPainter } from "../terminal/painter.ts";
import type { Output } from "../terminal/streams.ts";

/** A screen that is repainted whenever it changes, and when the terminal is resized. */
export interface PaintedScreen {
  /**
   * Paints the screen.
   * @param text draws the text; called again at each resize
   * @param footer one line below the text
   */
  show(text: () => Promise<string>, footer: string): Promise<void>;
  end(): Promise<void>;
}

export function createPaintedScreen(stdout: Output): PaintedScreen {
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
    async show(text, footer) {
      latest = { text, footer };
      await draw();
    },
    async end() {
      ended.abort();
      await painter.end();
    },
  };
}
