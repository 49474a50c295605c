import type { Call } from "../command-support/call.ts";
import type { Choice } from "../terminal/prompts.ts";

/** A word after a command's name. If a required one is missing, it is prompted for if a terminal is attached. */
export interface Argument {
  /** As in help: `<id>` is required, `[name]` is optional, and the last may repeat, e.g. `<ids...>`. */
  name: string;
  /** The text in help, and in the error for a missing value. */
  description: string;
  /** The allowed words, if there are few. */
  words?: readonly string[];
  /** Flags that replace it, with commander's names: with one of them it is not needed. */
  unless?: readonly string[];
  /** The kind of resource, if it differs from the name: `relayer` for `<id>`. */
  noun?: string;
  /**
   * Returns the choices, given the earlier arguments of the call; undefined if they are unknown, and the value must be
   * typed.
   */
  choices?(call: Call): Promise<readonly Choice<string>[] | undefined>;
  /** Returns why the input is invalid, or undefined. */
  problem?(answer: string): string | undefined;
}
