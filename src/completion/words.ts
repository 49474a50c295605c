/** What the service can be asked for the ids of. */
export const LIVE_KINDS = [
  "relayer",
  "notification",
  "signer",
  "network",
  "plugin",
  "transaction",
  "pending-transaction",
] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

/** What a flag or an operand holds, as far as completion can offer it: one of a few words, or something to look up. */
export type Value =
  | readonly string[]
  | LiveKind
  | "file"
  | "context"
  | "fields"
  | "order"
  | "condition"
  | "policy"
  | "policy key"
  | "text";

export interface FlagWords {
  /** Every spelling: `-o`, `--output`. */
  names: readonly string[];
  summary: string;
  /** Absent for a flag that takes no value. */
  value?: Value;
  /** Whether it may be given again and again. */
  repeats?: true;
}

export interface CommandWords {
  name: string;
  summary: string;
  commands: readonly CommandWords[];
  flags: readonly FlagWords[];
  /** What its operands hold, in their order. */
  args: readonly Value[];
  /** Whether the last operand may be given again and again. */
  many?: true;
  /** What it prints, as a key of `fields`. */
  resource?: string;
}

/** One policy key, and the words that its value may be, where there are only a few. */
export interface PolicyWords {
  key: string;
  summary: string;
  values: readonly string[];
}

/**
 * All that can be typed, as data: made of commander's tree when the program is built, so that completion loads neither
 * the commands nor commander.
 */
export interface Words {
  program: CommandWords;
  /** What `help` knows besides the commands. */
  topics: readonly { name: string; summary: string }[];
  /** The fields of each resource, for `--fields`, `--sort` and `--where`. */
  fields: Readonly<Record<string, readonly string[]>>;
  policies: readonly PolicyWords[];
}
