import type { Clock } from "../client/clock.ts";
import type { ClientEvent } from "../client/link.ts";
import { visible } from "../terminal/escape.ts";
import type { Output } from "../terminal/streams.ts";

/** Milliseconds of waiting before a person is told what is waited for (design 3). */
export const PATIENCE = 1_000;
const CLEAR_LINE = "\r\u001b[K";

/** One line on a terminal's stderr that says what is waited for, and goes away before anything else is written. */
export interface Progress {
  /** Hears what the client does. */
  hear(event: ClientEvent): void;
  /** The same stream, on which the line is taken away before each write. */
  around(output: Output): Output;
  /** Takes the line away for good. */
  end(): Promise<void>;
}

/** @param wanted false where nobody looks: no terminal, `--quiet`, or `--verbose`, which tells it all in lines */
export function createProgress(clock: Clock, stderr: Output, wanted: boolean): Progress {
  if (!wanted) return { hear: () => {}, around: (output) => output, end: async () => {} };
  const ended = new AbortController();
  let started = false;
  let patient = true;
  let waitingFor: string | undefined;
  let painted = false;
  const paint = () => {
    if (patient || waitingFor === undefined || ended.signal.aborted) return;
    painted = true;
    stderr.write(CLEAR_LINE + visible(waitingFor).slice(0, stderr.columns - 1)).catch(() => {});
  };
  const clear = async () => {
    if (painted) await stderr.write(CLEAR_LINE);
    painted = false;
  };
  const start = () => {
    started = true;
    void clock.sleep(PATIENCE, ended.signal).then(() => {
      patient = false;
      paint();
    });
  };
  return {
    hear(event) {
      if (!started) start();
      waitingFor = waitText(event, waitingFor);
      paint();
    },
    around: (output) => ({
      ...output,
      get columns() {
        return output.columns;
      },
      write: async (text) => {
        await clear();
        await output.write(text);
      },
    }),
    async end() {
      ended.abort();
      await clear();
    },
  };
}

/** What an event leaves to wait for; a reply leaves nothing. */
function waitText(event: ClientEvent, before: string | undefined): string | undefined {
  switch (event.type) {
    case "page":
      return event.of === undefined ? `page ${event.page}` : `page ${event.page} of ${event.of}`;
    case "attempt":
      return event.attempt > 1 ? `attempt ${event.attempt} of ${event.of}` : (before ?? "waiting for the service");
    case "retry":
      return `attempt ${event.attempt} of ${event.of} in ${(event.wait / 1000).toFixed(1)} s: ${event.why}`;
    case "reply":
    case "no_reply":
      return undefined;
    default:
      return before;
  }
}
