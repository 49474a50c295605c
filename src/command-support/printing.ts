import { colorEnabled, hasUnicode } from "../terminal/capabilities.ts";
import { visible } from "../terminal/escape.ts";
import type { Printer } from "../terminal/printer.ts";
import type { Output } from "../terminal/streams.ts";
import type { Call } from "./call.ts";

/** Returns the printer for a call's result. */
export function printerOf({ app, common, say }: Pick<Call, "app" | "common" | "say">): Printer {
  const { env, stdout, manyPass } = app;
  const color = colorEnabled(env, common.color ?? "auto", stdout.isTerminal);
  return { stdout, color, hasUnicode: hasUnicode(env), note: say, manyPass };
}

/** Returns a function that prints lines for the user: to stderr, escaped, silent with `--quiet`. */
export function messageWriter(
  stderr: Output,
  { quiet }: { quiet?: boolean | undefined },
): (line: string) => Promise<void> {
  return async (line) => {
    if (!quiet) await stderr.write(`${visible(line)}\n`);
  };
}
