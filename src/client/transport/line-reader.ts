import { STRICT } from "./response-head.ts";

const LF = 10;

export function createLineReader() {
  let held = "";
  let counted = 0;
  return {
    isEmpty: () => held === "",
    /** @param start how a line must begin @throws Error unless it ends in CR and LF, and has no control characters */
    take(chunk: Buffer, at: number, start: RegExp) {
      const end = chunk.indexOf(LF, at) + 1;
      const piece = chunk.toString("latin1", at, Math.min(end || chunk.length, at + STRICT.maxHeaderSize + 1));
      counted += piece.length;
      held += piece;
      if (counted > STRICT.maxHeaderSize || !CHARACTERS.test(held.slice(-piece.length - 1))) throw badResponseLine();
      if (end === 0 && !start.test(held)) throw badResponseLine();
      if (end === 0) return { end: chunk.length };
      const line = held.slice(0, -2);
      held = "";
      return { end, line };
    },
    /** Starts the next group of lines whose length is limited together. */
    count() {
      counted = 0;
    },
  };
}

const CHARACTERS = /^[\t -~\x80-\xff]*(?:\r\n?)?$/;

export function badResponseLine(): Error {
  return new Error("bad response");
}
