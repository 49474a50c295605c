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

/** A label for an address, on one kind of network. */
type LabelOf = "evm label" | "stellar label";

/** Values that completion can offer: one of a few words, or something to look up. */
export type Value =
  | readonly string[]
  | LiveKind
  | "file"
  | "context"
  | "label"
  | LabelOf
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
  value?: Value;
  repeats?: true;
  /** Set if all words up to the next flag are its values. */
  takesMany?: true;
}

export interface CommandWords {
  name: string;
  summary: string;
  commands: readonly CommandWords[];
  flags: readonly FlagWords[];
  args: readonly Value[];
  /** The common flags without an effect on it, which are not offered. */
  lacks?: readonly string[];
  /** Set if the last argument can be repeated. */
  many?: true;
  /** The resource that the command prints, as a key of `fields`. */
  resource?: string;
}

export interface FieldMeaning {
  about: string;
  values?: readonly string[];
  is?: "text" | "number";
}

/** One policy key, and its possible values if there are only a few. */
export interface PolicyWords {
  key: string;
  summary: string;
  values: readonly string[];
}

/** Everything that can be typed, as data: built from the tree at build time, so that completion loads no command. */
export interface Words {
  program: CommandWords;
  /** Topics of `help` besides the commands. */
  topics: readonly { name: string; summary: string }[];
  /** The fields of each resource, for `--fields`, `--sort` and `--where`. */
  fields: Readonly<Record<string, readonly string[]>>;
  meanings: Readonly<Record<string, Readonly<Record<string, FieldMeaning>>>>;
  policies: readonly PolicyWords[];
}

/** A whole word that could stand at the end of the line, with its summary. */
export interface Candidate {
  word: string;
  summary?: string;
}

/** The words that a shell should offer. The shell filters the words that fit, if it can. */
export interface Offer {
  /** `open` words are not finished: no space after them. For `files` the shell completes paths itself. */
  kind: "words" | "open" | "files";
  candidates: readonly Candidate[];
}
