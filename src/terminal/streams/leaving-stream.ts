import { OUTPUT_GRACE } from "../../timing.ts";
import type { WritableText } from "./output.ts";

interface Surroundings {
  interrupt: AbortSignal;
  clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
}

/** Returns a stream whose writes fail with `EINTR` if unread after an interrupt, so that the process ends. */
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
      let isFinished = false;
      let wait: AbortController | undefined;
      const finish = (error?: Error | null) => {
        if (isFinished) return;
        isFinished = true;
        wait?.abort("taken");
        interrupt.removeEventListener("abort", leave);
        done(error);
      };
      const leave = async () => {
        // Only now: few writes are in progress at an interrupt, and a listener makes many.
        wait = new AbortController();
        await clock.sleep(OUTPUT_GRACE, wait.signal);
        finish(Object.assign(new Error("not taken"), { code: "EINTR" }));
      };
      if (interrupt.aborted) void leave();
      else interrupt.addEventListener("abort", leave);
      return stream.write(chunk, finish);
    },
  };
}
