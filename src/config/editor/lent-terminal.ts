import { LATE_SIGNALS } from "../../timing.ts";

/** The terminal of this process, which another program may use for a while. */
export interface LentTerminal {
  /** Lends the terminal to another program: Ctrl-C then only goes to that program. */
  lendTerminal<T>(use: () => Promise<T>): Promise<T>;
  isTerminalLent(): boolean;
}

export function createLentTerminal(clock: { sleep(milliseconds: number): Promise<void> }): LentTerminal {
  let isTerminalLent = false;
  return {
    isTerminalLent: () => isTerminalLent,
    async lendTerminal(use) {
      isTerminalLent = true;
      try {
        return await use();
      } finally {
        // A Ctrl-C meant for the other program can arrive after its end: the kernel may hand it to a thread that is not running.
        await clock.sleep(LATE_SIGNALS);
        isTerminalLent = false;
      }
    },
  };
}
