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
