import { draw, helpWidth } from "./draw.ts";
import { programPage } from "./program-page.ts";

/** Returns the help of the program for a stream. It loads no command, because it is often the first thing a user runs. */
export function programHelp(stream: { isTerminal: boolean; columns: number }): string {
  return draw(programPage(), helpWidth(stream));
}
