import { LATE_SIGNALS } from "../../timing.ts";

export type LentTerminal = ReturnType<typeof createLentTerminal>;

/** Returns this process's terminal, which it can lend to another program. */
export function createLentTerminal(clock: { sleep(milliseconds: number): Promise<void> }) {
  let isTerminalLent = false;
  return {
    isTerminalLent: () => isTerminalLent,
    /** Lends the terminal to another program: Ctrl-C then only goes to that program. */
    async lendTerminal<T>(use: () => Promise<T>): Promise<T> {
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
