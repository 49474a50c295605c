export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never jumps, for waits and limits. */
  elapsed(): number;
  /** Resolves after the time, or early when the signal is aborted; after no time, once the events that have arrived are handled. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  uuid(): string;
  /** From 0 up to but not including 1. */
  fraction(): number;
}

export interface KeySource {
  /** Returns a new key as text: 64 hexadecimal digits, of 256 bits that nobody can guess. */
  key(): string;
}
