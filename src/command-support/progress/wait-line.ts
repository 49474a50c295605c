import { visible } from "../../terminal/escape.ts";
import type { Output } from "../../terminal/streams.ts";

/** Shows the user what the command waits for. */
export interface WaitLine {
  /** @param subject the subject of the text: if it is the same, only its count has changed */
  show(text: string, subject: string): Promise<void>;
  /** Clears the line before other output. */
  clear(): Promise<void>;
}

const CLEAR = "\r\u001b[K";

/**
 * Returns one line that is repainted. It fits the width, since a wrapped line cannot be cleared.
 * @param fitted escapes a text and cuts it to a width
 */
export function paintedLine(stderr: Output, fitted: (text: string, most: number) => string): WaitLine {
  let painted: string | undefined;
  return {
    async show(text) {
      const line = fitted(text, stderr.columns - 1);
      if (line === painted) return;
      painted = line;
      await stderr.write(CLEAR + line);
    },
    async clear() {
      if (painted === undefined) return;
      painted = undefined;
      await stderr.write(CLEAR);
    },
  };
}

/** Returns plain lines, for screen readers and for terminals without escape sequences: one for each new subject. */
export function plainLines(stderr: Output): WaitLine {
  let shown: string | undefined;
  return {
    async show(text, subject) {
      if (subject === shown) return;
      shown = subject;
      await stderr.write(`${visible(text)}\n`);
    },
    clear: async () => {},
  };
}
