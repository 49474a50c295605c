export interface TokenEntry {
  name: string;
  server: string;
  folder: string;
  /** A vault of 1Password, or the mount of a secrets engine. */
  within?: string | undefined;
  id?: string | undefined;
}

export interface RunProgram {
  argv: string[];
  /** The text for stdin, the only way for the token to reach a program. */
  input?: string;
}

/** The result of a run, without an error that kept the program from starting. */
export interface ProgramEnd {
  stdout: string;
  stderr: string;
  status?: number | undefined;
  problem?: string | undefined;
}

export interface TokenStore {
  /** In texts: `pass`, `the keychain`. */
  title: string;
  advice: string;
  label(entry: TokenEntry): string;
  /** Stores a token, and replaces an earlier one unless the store assigns IDs. */
  put(entry: TokenEntry, token: string): RunProgram;
  /** The entry with the store's output about it; undefined if it can't be found again. */
  stored?(entry: TokenEntry, printed: string): TokenEntry | undefined;
  /** Prints the token: the `token_command`. */
  get(entry: TokenEntry): string[];
  remove(entry: TokenEntry): string[];
  /** Returns the parts of an entry that the words of its `token_command` have. */
  partsOf(argv: readonly string[]): Partial<TokenEntry>;
  /** Returns whether a failed `get` or `remove` means that there is no entry. */
  isMissing(ended: ProgramEnd): boolean;
  longest?: number;
}
