import { visible } from "../../terminal/escape.ts";
import type { Output } from "../../terminal/streams.ts";

/** Where a person is told what is waited for. */
export interface WaitLine {
  /** @param thing what the text is about: only its count may have changed */
  show(text: string, thing: string): Promise<void>;
  /** Takes it away, before anything else is written. */
  clear(): Promise<void>;
}

const CLEAR = "\r\u001b[K";

/**
 * One line that is painted over. It fits the width, since what is wrapped cannot be taken away.
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

/** Plain lines, for a reader of the screen and for terminals that know no escape sequences: one for each new thing. */
export function plainLines(stderr: Output): WaitLine {
  let told: string | undefined;
  return {
    async show(text, thing) {
      if (thing === told) return;
      told = thing;
      await stderr.write(`${visible(text)}\n`);
    },
    clear: async () => {},
  };
}
