import { visible } from "../terminal/escape.ts";
import type { Output } from "../terminal/streams.ts";

/** Returns a function that prints lines for the user: to stderr, escaped, silent with `--quiet`. */
export function messageWriter(
  stderr: Output,
  { quiet }: { quiet?: boolean | undefined },
): (line: string) => Promise<void> {
  return async (line) => {
    if (!quiet) await stderr.write(`${visible(line)}\n`);
  };
}
