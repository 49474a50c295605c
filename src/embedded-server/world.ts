/** Time, as the embedded server sees it. A test hands in its own. */
export interface DemoClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never jumps. */
  elapsed(): number;
  /** Resolves after the time, or early when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface DemoRandom {
  uuid(): string;
  /** From 0 up to but not including 1. */
  fraction(): number;
}
