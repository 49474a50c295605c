import type { App } from "../app.ts";
import type { BulkCounts } from "../client/bulk/run-all.ts";
import type { Message } from "../message.ts";
import type { Say, Session } from "../session/session.ts";
import type { OutputOptions } from "../terminal/output-options.ts";
import type { CommonFlags } from "./common-flags.ts";
import type { ShownProgress } from "./progress.ts";
import type { EnteredLine } from "./prompting/prompts.ts";

export type { Say };

export interface ConcurrentContexts {
  /** Printed lines, to print a line of all contexts once. */
  said: Set<string>;
  /** Asks once for all writes of the contexts, and returns whether it prompted. Without consent none is sent. */
  agree?(name: string, asked: AskedInContext): Promise<boolean>;
}

export interface AskedInContext {
  session: Session;
  /** E.g. `pause`. */
  verb: string;
  count: number;
  isNeeded: boolean;
  lines: readonly Message[];
}

export interface Call<Flags = object> {
  app: App;
  say: Say;
  session(): Promise<Session>;
  args: readonly string[];
  /** With commander's names: `--gas-limit` is `gasLimit`. */
  flags: Flags;
  common: CommonFlags;
  /** How to write the result. Validated before anything is sent. */
  output: OutputOptions;
  /** The words after `relayctl`, for hints that repeat them. */
  argv: readonly string[];
  /** The same words with all input from prompts, including an interview that has not ended. */
  entered: EnteredLine;
  /** Returns the same call in another context. Among several, its notes begin with the context's name. */
  inContext(name: string, among?: ConcurrentContexts): Call<Flags>;
  /** The selected contexts, if the line selects several of them and the command itself works in each. */
  contexts?: readonly string[];
  /** Set in one of several concurrent contexts. */
  among?: ConcurrentContexts;
  /** Runs a command line without `relayctl`, and returns its exit code. @param world default: this one */
  perform(argv: readonly string[], world?: App): Promise<number>;
  /** Shows the progress of many operations; undefined once they have ended. */
  count(counts: BulkCounts | undefined): void;
  idle(current: () => ShownProgress): void;
}
