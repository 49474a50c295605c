export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never jumps. */
  elapsed(): number;
  /** Resolves after the time, or when the signal is aborted; at 0, after the events that have arrived are handled. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  uuid(): string;
  /** From 0 up to but not including 1. */
  fraction(): number;
}

export interface KeySource {
  /** Returns a new secret key: 64 hexadecimal digits (256 bits). */
  key(): string;
}
