export interface Input {
  readonly isTerminal: boolean;
  /** Reads to the end, at most `maxBytes`; rejects longer input. */
  read(maxBytes: number): Promise<Uint8Array>;
}

export interface StreamedInput extends Input {
  chunks(): AsyncIterable<Uint8Array>;
}

export interface Output {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  onResize(listener: () => void, until: AbortSignal): void;
  /** Writes a text when Ctrl-Z stops the process, and calls the listener after. @param leave returns the text */
  onStop(leave: () => string, resume: () => void, until: AbortSignal): void;
  /** Resolves when the text was accepted, without known secrets. Rejects with an `io` error or a `ClosedPipe`. */
  write(text: string | Uint8Array): Promise<void>;
  /** Writes a secret that the user requested: only `auth token` and `serve` use it. */
  reveal(text: string): Promise<void>;
}

/** What a part of the program does when Ctrl-Z stops the process, and when `fg` continues it. */
export interface Stoppable {
  /** Leaves the terminal as a shell needs it. Must be synchronous: the process stops right after it. */
  leave(): void;
  resume(): void;
}

/** Stops this process and continues it, as a shell with job control does. */
export interface JobControl {
  /** Stops the process with its group, as Ctrl-Z does in a terminal that is not in raw mode. */
  stop(): void;
  /** Registers a part. @returns a function that removes it */
  add(part: Stoppable): () => void;
}
