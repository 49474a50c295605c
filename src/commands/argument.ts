import type { Call } from "../command-support/call.ts";
import type { Choice } from "../terminal/prompts.ts";

/** A word that a command takes after its name. One that it needs and that is missing is asked for, where a person is there. */
export interface Argument {
  /** As help writes it: `<id>` is required, `[name]` is not, and the last may be many, as `<ids...>`. */
  name: string;
  /** The text in help, and in the rule that a missing value breaks. */
  description: string;
  /** The words that it may be, when it is one of a few. */
  words?: readonly string[];
  /** Flags that stand for it, as commander names them: with one of them it is not needed. */
  unless?: readonly string[];
  /** What it names, when that is another word than its name: `relayer` for `<id>`. */
  noun?: string;
  /**
   * What there is to choose from, with the operands before it in the call. Nothing where that cannot be known: then it is
   * typed.
   */
  choices?(call: Call): Promise<readonly Choice<string>[] | undefined>;
  /** Says why an answer cannot be meant, or nothing. */
  problem?(answer: string): string | undefined;
}
