import { setImmediate } from "node:timers/promises";

/** How often what was sent may be read by the client before its time is up. */
const TURNS = 20;

/** Notices that a server stopped acting, so that a client's time may be up without a clock. */
export interface Stalls {
  /** Something is done for a request. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Nothing is done for a request until this resolves. */
  hang<T>(wait: Promise<T>): Promise<T>;
  /** Resolves when a request hangs that did not before and nothing else is done, or when the signal is aborted. */
  next(signal?: AbortSignal): Promise<void>;
}

export function createStalls(): Stalls {
  const waiting = new Set<() => void>();
  let working = 0;
  let hanging = 0;
  let isNew = false;
  const isStalled = () => isNew && working === hanging;

  async function check(): Promise<void> {
    for (let turn = 0; turn < TURNS && isStalled(); turn++) await setImmediate();
    if (!isStalled()) return;
    isNew = false;
    for (const wake of waiting) wake();
  }

  return {
    async during(work) {
      working++;
      return await work.finally(() => {
        working--;
        void check();
      });
    },
    async hang(wait) {
      hanging++;
      isNew = true;
      void check();
      return await wait.finally(() => {
        hanging--;
      });
    },
    next: (signal) =>
      new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        waiting.add(wake);
        signal?.addEventListener("abort", wake);
        if (signal?.aborted) wake();
      }),
  };
}
