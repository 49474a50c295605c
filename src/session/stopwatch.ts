import type { Clock } from "../client/clock.ts";

export interface Stopwatch {
  /** Absent without a limit. */
  remaining?: () => number;
  /** Waits without counting the time: the user may take any time at a prompt. */
  pausing<T>(waiting: Promise<T>): Promise<T>;
}

export function createStopwatch(clock: Clock, limit: number | undefined): Stopwatch {
  const started = clock.elapsed();
  let paused = 0;
  let pauses = 0;
  let since = 0;
  const pausing = async <T>(waiting: Promise<T>): Promise<T> => {
    // A pause within a pause counts once.
    if (pauses++ === 0) since = clock.elapsed();
    try {
      return await waiting;
    } finally {
      if (--pauses === 0) paused += clock.elapsed() - since;
    }
  };
  if (limit === undefined) return { pausing };
  return { pausing, remaining: () => limit - (clock.elapsed() - started - paused) };
}
