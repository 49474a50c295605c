import type { Clock } from "../../client/clock.ts";
import type { Output } from "../../terminal/streams.ts";
import { cut } from "../../terminal/text/cut.ts";
import { paintedLine, plainLines, type WaitLine } from "./wait-line.ts";
import { thingOf, type Waiting, waitText } from "./waiting.ts";

/** Milliseconds of waiting before a terminal shows what is waited for (promises 3). */
export const PATIENCE = 1_000;
/** Milliseconds between two looks at what is waited for now. */
const TICK = 100;

/** Tells what is waited for, one stretch of waiting after the other. */
export interface ProgressReporter {
  /** Begins a stretch, unless one has begun. It ends when nothing is waited for any more. */
  begin(): void;
  /** Ends the stretch and takes its line away. */
  clear(): Promise<void>;
}

/** Where it is told. */
export interface Tellers {
  clock: Clock;
  stderr: Output;
  /** In lines of their own, and nothing painted over. */
  plain: boolean;
}

/** @param look what is waited for at this moment */
export function createProgressReporter({ clock, stderr, plain }: Tellers, look: () => Waiting): ProgressReporter {
  const tick = plain ? PATIENCE : TICK;
  let line: WaitLine | undefined;
  let stretch: AbortController | undefined;
  const tell = async (left: AbortSignal) => {
    await clock.sleep(PATIENCE, left);
    line ??= plain ? plainLines(stderr) : paintedLine(stderr, cut);
    while (!left.aborted) {
      const waiting = look();
      const text = waitText(waiting, clock.elapsed());
      if (text === undefined) return await clear();
      await line.show(text, thingOf(waiting));
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
      // A line that cannot be written must not change what becomes of a request.
      tell(stretch.signal).catch(() => {});
    },
    clear,
  };
}
