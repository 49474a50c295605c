import type { App } from "../app.ts";
import type { BulkCounts } from "../client/bulk-counts.ts";
import type { ClientEvent } from "../client/client-context.ts";
import { outputForPeople } from "../terminal/ascii.ts";
import { wantsPlainLines } from "../terminal/capabilities.ts";
import type { PromptLook } from "../terminal/prompts.ts";
import type { Output } from "../terminal/streams.ts";
import type { CommonFlags } from "./common-flags.ts";
import { bulkLine, bulkSubject } from "./progress/bulk-line.ts";
import { createProgressReporter, type ProgressOutput, type ShownProgress } from "./progress/progress-reporter.ts";
import { type Waiting, waitingAfter, waitSubject, waitText } from "./progress/waiting.ts";
import { promptsWithin } from "./prompting/prompts.ts";

/** Shows on a terminal's stderr what the command waits for; cleared before anything else is written. */
export interface Progress {
  hear(event: ClientEvent): void;
  /** Shows how far many operations have come, in place of single requests; undefined once they have ended. */
  count(counts: BulkCounts | undefined): void;
  /** Shows a line while nothing else is pending or printed. */
  idle(current: () => ShownProgress): void;
  /** Wraps a stream; on a terminal, the line is cleared before each write. Output elsewhere leaves the line alone. */
  around(output: Output): Output;
  /** Clears the line until the command has waited for another second. */
  clear(): Promise<void>;
  /** Clears the line permanently. */
  end(): Promise<void>;
}

/** No progress, without a terminal. */
const NO_PROGRESS: Progress = {
  hear: () => {},
  count: () => {},
  idle: () => {},
  around: (output) => output,
  clear: async () => {},
  end: async () => {},
};

export function createProgress(output: ProgressOutput): Progress {
  let waiting: Waiting = {};
  let counts: BulkCounts | undefined;
  let idle: (() => ShownProgress) | undefined;
  let ended = false;
  const current = (): ShownProgress | undefined => {
    const now = output.clock.elapsed();
    const columns = output.plain ? Number.POSITIVE_INFINITY : output.stderr.columns - 1;
    if (counts) return { text: bulkLine(counts, now, columns), subject: bulkSubject(counts) };
    const text = waitText(waiting, now);
    return text === undefined ? idle?.() : { text, subject: waitSubject(waiting) };
  };
  const reporter = createProgressReporter(output, current);
  const begin = () => {
    if (!ended && (counts ?? idle ?? waiting.step) !== undefined) reporter.begin();
  };
  const behind = (write: Output["write"]) => async (text: string | Uint8Array) => {
    await reporter.clear();
    await write(text);
    begin();
  };
  return {
    hear(event) {
      waiting = waitingAfter(event, waiting, output.clock.elapsed());
      begin();
    },
    count(next) {
      counts = next;
      begin();
    },
    idle(current) {
      idle = current;
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

/**
 * Opens the progress line of a command; none without a terminal, with `--quiet`, or with `--verbose`, which prints
 * everything.
 */
export function openProgress({ clock, stderr, env }: App, { quiet, verbose }: CommonFlags): Progress {
  if (!stderr.isTerminal || quiet || verbose) return NO_PROGRESS;
  return createProgress({ clock, stderr: outputForPeople(stderr, env), plain: wantsPlainLines(env) });
}

/** Returns the app with outputs that clear the progress line first. Parts that open on first use stay unopened. */
export function behindProgress(world: App, progress: Progress): App {
  const cleared = async <T>(ask: () => Promise<T>) => {
    await progress.clear();
    return await ask();
  };
  return Object.create(world, {
    stdout: { get: () => progress.around(world.stdout) },
    stderr: { get: () => progress.around(world.stderr) },
    prompts: { value: async (look?: PromptLook) => promptsWithin(await world.prompts(look), cleared) },
  });
}
