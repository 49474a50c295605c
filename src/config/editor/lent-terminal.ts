import { LATE_SIGNALS } from "../../timing.ts";

/** This process's terminal, which it can lend to another program. */
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
        // The other program's Ctrl-C can arrive after its end: the kernel may hand it to a stopped thread.
        await clock.sleep(LATE_SIGNALS);
        isTerminalLent = false;
      }
    },
  };
}
