import type { Clock } from "../../client/clock.ts";
import type { Output } from "../../terminal/streams.ts";
import { cut } from "../../terminal/text/cut.ts";
import { PROGRESS_DELAY, PROGRESS_TICK } from "../../timing.ts";
import { paintedLine, plainLines, type WaitLine } from "./wait-line.ts";
import { type Waiting, waitSubject, waitText } from "./waiting.ts";

/** Shows progress, one wait after the other. */
export interface ProgressReporter {
  /** Begins a wait, unless one has begun. It ends when nothing is pending. */
  begin(): void;
  /** Ends the wait and clears its line. */
  clear(): Promise<void>;
}

/** Where progress is shown. */
export interface ProgressOutput {
  clock: Clock;
  stderr: Output;
  /** Set for separate lines without repainting. */
  plain: boolean;
}

/** @param look returns the current wait */
export function createProgressReporter(
  { clock, stderr, plain }: ProgressOutput,
  look: () => Waiting,
): ProgressReporter {
  const tick = plain ? PROGRESS_DELAY : PROGRESS_TICK;
  let line: WaitLine | undefined;
  let stretch: AbortController | undefined;
  const showProgress = async (left: AbortSignal) => {
    await clock.sleep(PROGRESS_DELAY, left);
    line ??= plain ? plainLines(stderr) : paintedLine(stderr, cut);
    while (!left.aborted) {
      const waiting = look();
      const text = waitText(waiting, clock.elapsed());
      if (text === undefined) return await clear();
      await line.show(text, waitSubject(waiting));
      await clock.sleep(tick, left);
    }
  };
  const clear = async () => {
    stretch?.abort();
    stretch = undefined;
    await line?.clear();
  };
  return {
    begin() {
      if (stretch) return;
      stretch = new AbortController();
      // A line that cannot be written must not affect a request.
      showProgress(stretch.signal).catch(() => {});
    },
    clear,
  };
}
