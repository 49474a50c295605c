import { draw } from "./draw.ts";
import { programPage } from "./program-page.ts";
import { helpWidth } from "./width.ts";

/** The help of the program for a stream, from nothing but names: most that ask for it have asked for nothing yet. */
export function programHelp(stream: { isTerminal: boolean; columns: number }): string {
  return draw(programPage(), helpWidth(stream));
}
