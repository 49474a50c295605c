/** The width of help in a pipe, so that its bytes are always the same. */
export const USUAL_WIDTH = 80;
const NARROWEST = 40;
const WIDEST = 100;

/** Returns the width of help on a stream: that of its terminal, within a readable range. */
export function helpWidth({ isTerminal, columns }: { isTerminal: boolean; columns: number }): number {
  return isTerminal ? Math.min(Math.max(columns, NARROWEST), WIDEST) : USUAL_WIDTH;
}
