import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../src/client/clock.ts";

/** A clock that only moves when a test moves it; sleepers wake in turn. */
export interface SteppedClock extends Clock {
  pass(milliseconds: number): Promise<void>;
  /** Whether anybody waits for time to pass. */
  isAwaited(): boolean;
}

interface Sleeper {
  due: number;
  wake(): void;
}

export function steppedClock(start = Date.parse("2026-11-21T03:12:07Z")): SteppedClock {
  let elapsed = 0;
  const sleepers = new Set<Sleeper>();
  const nextDue = (until: number) => {
    const due = Math.min(...[...sleepers].map((sleeper) => sleeper.due));
    return due <= until ? [...sleepers].filter((sleeper) => sleeper.due === due) : [];
  };
  return {
    now: () => start + elapsed,
    elapsed: () => elapsed,
    isAwaited: () => sleepers.size > 0,
    sleep: (milliseconds, signal) => {
      // No time passes, and what has arrived is handled first.
      if (milliseconds === 0) return setImmediate();
      return new Promise((resolve) => {
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        const sleeper = { due: elapsed + milliseconds, wake };
        sleepers.add(sleeper);
        if (signal?.aborted) wake();
        signal?.addEventListener("abort", wake);
      });
    },
    async pass(milliseconds) {
      const until = elapsed + milliseconds;
      await setImmediate();
      await vi.dynamicImportSettled();
      for (let next = nextDue(until); next[0]; next = nextDue(until)) {
        elapsed = Math.max(elapsed, next[0].due);
        for (const { wake } of next) wake();
        // Lets those that woke run until they sleep again, whatever they await or load on their way.
        await setImmediate();
        await vi.dynamicImportSettled();
      }
      elapsed = until;
    },
  };
}
