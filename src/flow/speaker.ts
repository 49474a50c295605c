import type { App } from "../app.ts";
import { visible } from "../terminal/escape.ts";

/** A way to say lines to a person: on stderr, escaped, silent with `--quiet`. */
export function speaker(app: App, { quiet }: { quiet?: boolean | undefined }): (line: string) => Promise<void> {
  return async (line) => {
    if (!quiet) await app.stderr.write(`${visible(line)}\n`);
  };
}
