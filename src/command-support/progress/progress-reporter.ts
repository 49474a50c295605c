import type { Clock } from "../../client/clock.ts";
import { visible } from "../../terminal/escape.ts";
import type { Output } from "../../terminal/streams.ts";
import { cut } from "../../terminal/text/cut.ts";
import { PROGRESS_DELAY, PROGRESS_TICK } from "../../timing.ts";

/** Shows progress, one wait after the other. */
export interface ProgressReporter {
  /** Begins a wait, unless one has begun. It ends when nothing is pending. */
  begin(): void;
  /** Ends the wait and clears its line. */
  clear(): Promise<void>;
}

export interface ProgressOutput {
  clock: Clock;
  stderr: Output;
  /** Set for separate lines without repainting. */
  plain: boolean;
}

export interface ShownProgress {
  text: string;
  /** If it is the same, only a count in the text has changed. */
  subject: string;
}

/** @param current returns what to show, if something is pending */
export function createProgressReporter(
  { clock, stderr, plain }: Pick<ProgressOutput, "clock" | "stderr" | "plain">,
  current: () => ShownProgress | undefined,
): ProgressReporter {
  const tick = plain ? PROGRESS_DELAY : PROGRESS_TICK;
  let line: WaitLine | undefined;
  let stretch: AbortController | undefined;
  const showProgress = async (left: AbortSignal) => {
    await clock.sleep(PROGRESS_DELAY, left);
    line ??= plain ? plainLines(stderr) : paintedLine(stderr, cut);
    while (!left.aborted) {
      const shown = current();
      if (!shown) return await clear();
      await line.show(shown);
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

/** Shows the user what the command waits for. */
interface WaitLine {
  show(shown: ShownProgress): Promise<void>;
  /** Clears the line before other output. */
  clear(): Promise<void>;
}

const CLEAR = "\r\u001b[K";

/** Returns one line that is repainted, and fits the width: a wrapped one cannot be cleared. @param fitted cuts */
function paintedLine(stderr: Output, fitted: (text: string, most: number) => string): WaitLine {
  let painted: string | undefined;
  return {
    async show({ text }) {
      const line = fitted(text, stderr.columns - 1);
      if (line === painted) return;
      painted = line;
      await stderr.write(CLEAR + line);
    },
    async clear() {
      if (painted === undefined) return;
      painted = undefined;
      await stderr.write(CLEAR);
    },
  };
}

/** Returns plain lines, for screen readers and for terminals without escape sequences: one for each new subject. */
function plainLines(stderr: Output): WaitLine {
  let shown: string | undefined;
  return {
    async show({ text, subject }) {
      if (subject === shown) return;
      shown = subject;
      await stderr.write(`${visible(text)}\n`);
    },
    clear: async () => {},
  };
}
