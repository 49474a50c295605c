import type { ClientEvent } from "../client/client-context.ts";
import type { Output } from "../terminal/streams.ts";
import { createProgressReporter, type Tellers } from "./progress/progress-reporter.ts";
import { type Waiting, waitingAfter } from "./progress/waiting.ts";

/** Says on a terminal's stderr what is waited for, and is gone before anything else is written. */
export interface Progress {
  /** Hears what the client does. */
  hear(event: ClientEvent): void;
  /** The same stream; on a terminal, the line is taken away before each write. What goes elsewhere leaves it as it is. */
  around(output: Output): Output;
  /** Takes the line away, until something has been waited for a second again. */
  clear(): Promise<void>;
  /** Takes the line away for good. */
  end(): Promise<void>;
}

/** Where nobody looks. */
export const NO_PROGRESS: Progress = {
  hear: () => {},
  around: (output) => output,
  clear: async () => {},
  end: async () => {},
};

export function createProgress(tellers: Tellers): Progress {
  let waiting: Waiting = {};
  let ended = false;
  const reporter = createProgressReporter(tellers, () => waiting);
  const begin = () => {
    if (!ended && waiting.step !== undefined) reporter.begin();
  };
  const behind = (write: Output["write"]) => async (text: string | Uint8Array) => {
    await reporter.clear();
    await write(text);
    begin();
  };
  return {
    hear(event) {
      waiting = waitingAfter(event, waiting, tellers.clock.elapsed());
      begin();
    },
    around(output) {
      if (!output.isTerminal) return output;
      return Object.create(output, {
        write: { value: behind(output.write) },
        reveal: { value: behind(output.reveal) },
      });
    },
    clear: reporter.clear,
    async end() {
      ended = true;
      await reporter.clear();
    },
  };
}
