import type { App } from "../app.ts";
import type { OutputOptions } from "../terminal/output-options.ts";
import type { CommonFlags } from "./common-flags.ts";
import type { Session } from "./session/session.ts";

/** One call of a command. */
export interface Call<Flags = object> {
  app: App;
  /** Operands in their order. */
  args: readonly string[];
  /** The command's own flags, named by commander: `--gas-limit` is `gasLimit`. */
  flags: Flags;
  common: CommonFlags;
  /** How the result is to be written. It was judged before anything is sent. */
  output: OutputOptions;
  /** What was typed after `relayctl`, for hints that repeat it. */
  argv: readonly string[];
  /** Where to and with which token; read from flags, environment and config when first asked for. */
  session(): Promise<Session>;
  /** Says a line to a person, on stderr. Silent with `--quiet`. Escapes what it is given. */
  say(line: string): Promise<void>;
}
