import type { WritableText } from "./output.ts";

/** Milliseconds that a reader has after an interrupt to take what was written. */
const PATIENCE = 300;

interface Surroundings {
  interrupt: AbortSignal;
  clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
}

/**
 * A stream whose writes fail with `EINTR` if nobody takes them after an interrupt: a pipe whose reader has stopped would keep the
 * process from ending.
 */
export function leavingStream(stream: WritableText, { interrupt, clock }: Surroundings): WritableText {
  return {
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    on: (event, listener) => stream.on(event, listener),
    write(chunk, done) {
      const taken = new AbortController();
      const finish = (error?: Error | null) => {
        if (taken.signal.aborted) return;
        taken.abort("taken");
        interrupt.removeEventListener("abort", leave);
        done(error);
      };
      const leave = async () => {
        await clock.sleep(PATIENCE, taken.signal);
        finish(Object.assign(new Error("not taken"), { code: "EINTR" }));
      };
      if (interrupt.aborted) void leave();
      else interrupt.addEventListener("abort", leave);
      return stream.write(chunk, finish);
    },
  };
}
