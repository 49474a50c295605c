export interface ServerClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never jumps. */
  elapsed(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface ServerRandom {
  uuid(): string;
  /** From 0 up to but not including 1. */
  fraction(): number;
}

/** Formats a time like the service: RFC 3339 with nanoseconds (facts 5.2). */
export function serverTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "000000+00:00");
}
