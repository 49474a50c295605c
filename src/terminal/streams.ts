/** What is typed or piped into the program. */
export interface Input {
  readonly isTerminal: boolean;
  /** Everything up to the end, at most `maxBytes`; more is refused. */
  read(maxBytes: number): Promise<Uint8Array>;
}

/** One of the two streams that the program writes. */
export interface Output {
  readonly isTerminal: boolean;
  /** The width in columns, of a terminal. */
  readonly columns: number;
  /** The height in lines, of a terminal. */
  readonly rows: number;
  /** Calls whenever the size of the terminal has changed, until the signal. */
  onResize(listener: () => void, until: AbortSignal): void;
  /** Resolves once the text was taken; known secrets in it are replaced. Rejects with an `io` error or a `ClosedPipe`. */
  write(text: string | Uint8Array): Promise<void>;
  /** Writes a secret that the user asked to see: `auth token` and `serve` alone. */
  reveal(text: string): Promise<void>;
}

/** Texts that must never be printed. */
export interface Secrets {
  /** The text with every known secret replaced. */
  redact(text: string): string;
  /** False when no secret is in the bytes, whatever its form. Sooner known than redacted. */
  mayBeIn(bytes: Uint8Array): boolean;
}
