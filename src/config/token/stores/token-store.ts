export interface Entry {
  name: string;
  server: string;
  folder: string;
  /** A vault of 1Password, or the mount of a secrets engine. */
  within?: string | undefined;
  id?: string | undefined;
}

export interface Run {
  argv: string[];
  /** The text for stdin, the only way for the token to reach a program. */
  input?: string;
}

/** The result of a run, without an error that kept the program from starting. */
export interface Ended {
  stdout: string;
  stderr: string;
  status?: number | undefined;
  problem?: string | undefined;
}

export interface TokenStore {
  /** In texts: `pass`, `the keychain`. */
  title: string;
  advice: string;
  label(entry: Entry): string;
  /** Stores a token, and replaces an earlier one unless the store assigns IDs. */
  put(entry: Entry, token: string): Run;
  /** The entry with the store's output about it; undefined if it can't be found again. */
  stored?(entry: Entry, printed: string): Entry | undefined;
  /** Prints the token: the `token_command`. */
  get(entry: Entry): string[];
  remove(entry: Entry): string[];
  /** Returns the parts of an entry that the words of its `token_command` have. */
  partsOf(argv: readonly string[]): Partial<Entry>;
  /** Returns whether a failed `get` or `remove` means that there is no entry. */
  isMissing(ended: Ended): boolean;
  longest?: number;
}
