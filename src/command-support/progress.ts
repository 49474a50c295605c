import type { App } from "../app.ts";
import type { BulkCounts } from "../client/bulk/run-all.ts";
import type { ClientEvent } from "../client/client-context.ts";
import type { Clock } from "../client/clock.ts";
import { groupDigits } from "../contract/decimal.ts";
import { asciiOutput } from "../terminal/ascii.ts";
import { hasPlainLines } from "../terminal/capabilities.ts";
import { escapeText } from "../terminal/escape.ts";
import type { PromptLook } from "../terminal/prompts.ts";
import type { Output } from "../terminal/streams/output.ts";
import { cutText } from "../terminal/text/cut.ts";
import { durationText } from "../terminal/text/duration.ts";
import { textWidth } from "../terminal/width.ts";
import { PROGRESS_DELAY, PROGRESS_LINE, PROGRESS_TICK } from "../timing.ts";
import type { CommonFlags } from "./common-flags.ts";
import { promptsWithin } from "./prompting/prompts.ts";

interface Waiting {
  page?: Page | undefined;
  isNext?: boolean;
  /** The current step; a first attempt at a page needs none. */
  step?: string;
  /** Sent requests, without retries. */
  requests?: number;
  /** A pause before an attempt: its end in milliseconds of `elapsed`, and its reason. */
  pause?: { until: number; why: string };
}

type Page = Extract<ClientEvent, { type: "page" }>;

function waitingAfter(event: ClientEvent, { page, ...before }: Waiting, now: number): Waiting {
  const { requests = 0 } = before;
  switch (event.type) {
    case "page":
      return { page: event.page > 1 || event.of !== undefined ? event : undefined, isNext: true, requests };
    case "attempt": {
      const shown = before.isNext || event.attempt > 1 ? page : undefined;
      return { page: shown, step: attemptText(event), requests: event.attempt > 1 ? requests : requests + 1 };
    }
    case "retry": {
      const pause = { until: now + event.wait, why: event.why };
      return { page, step: `attempt ${event.attempt} of ${event.of}`, pause, requests };
    }
    case "reply":
    case "no_reply":
      return { page, requests };
    default:
      return { page, ...before };
  }
}

function attemptText({ attempt, of, writes }: Extract<ClientEvent, { type: "attempt" }>): string {
  const number = attempt > 1 ? `attempt ${attempt} of ${of}` : "";
  return [writes ? "a write is in progress" : "", number].filter((words) => words !== "").join(", ");
}

/** Returns the progress text at a time, if something is pending: `page 12 of 400, attempt 2 of 3 in 1.2 s: …`. */
function waitText({ page, step, pause, requests = 1 }: Waiting, now: number): string | undefined {
  if (step === undefined) return undefined;
  const words = [page ? pageText(page) : "", step].filter((part) => part !== "").join(", ");
  if (pause) return `${words} in ${secondsText(pause.until - now)}: ${pause.why}`;
  return words || `waiting for the service${requests > 1 ? `, request ${groupDigits(requests)}` : ""}`;
}

function pageText({ page, of }: Page): string {
  return of === undefined ? `page ${page}` : `page ${page} of ${of}`;
}

function secondsText(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

const PAGES_OF_AN_ENDLESS_LIST = 100;

/** Returns the constant part of a changing count, for lines: the seconds, and the tenth of a list's pages. */
function waitSubject({ page, step, pause }: Waiting): string {
  const tenth = page && Math.ceil((page.page * 10) / (page.of ?? PAGES_OF_AN_ENDLESS_LIST));
  return [tenth, step, pause?.why].join("\n");
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const [FULL, EMPTY] = ["█", "░"];
const FRAME = 100;
const BAR = 18;

/** Returns `⠹ pausing 1,204/4,000 ████░░░░ 31/s 1m 30s left 3 failed`; drops bar, rate, and time if they don't fit. */
function bulkLine(counts: BulkCounts, now: number, columns = 0): string {
  const { doing, of, done, failed, sum, since, phases = "" } = counts;
  const filled = of === 0 ? 0 : Math.floor((done * BAR) / of);
  const frame = FRAMES[Math.floor(now / FRAME) % FRAMES.length];
  const { rate, left } = paceTexts(counts, now - since);
  const isDrawn = columns > 0;
  const first = [
    isDrawn ? `${frame} ${doing}` : doing,
    `${groupDigits(done)}/${groupDigits(of)}`,
    ...(sum === undefined ? [] : [sum]),
    ...(phases === "" ? [] : [phases, durationText(now - since)]),
  ];
  const last = failed > 0 ? [`${groupDigits(failed)} failed`] : [];
  const bar = FULL.repeat(filled) + EMPTY.repeat(BAR - filled);
  const optional = [isDrawn ? bar : "", ...(phases === "" ? [rate, left] : [])].filter((part) => part !== "");
  for (let from = 0; ; from++) {
    const line = [...first, ...optional.slice(from), ...last].join("   ");
    if (!isDrawn || from === optional.length || textWidth(line) <= columns) return line;
  }
}

function paceTexts({ of, done, failed }: BulkCounts, time: number): { rate: string; left: string } {
  const ended = done + failed;
  if (ended === 0 || time <= 0) return { rate: "", left: "" };
  const perSecond = (ended * 1000) / time;
  const rate = perSecond < 10 ? perSecond.toFixed(1) : groupDigits(Math.round(perSecond));
  const left = ((of - ended) * 1000) / perSecond;
  return { rate: `${rate}/s`, left: `${durationText(left)} left` };
}

function bulkSubject({ doing, of, done, failed }: BulkCounts): string {
  return `${doing} ${Math.floor(((done + failed) * 10) / Math.max(1, of))}`;
}

export interface Progress {
  hear(event: ClientEvent): void;
  /** Shows the progress of many operations, in place of single requests; undefined once they have ended. */
  count(counts: BulkCounts | undefined): void;
  /** Shows a line while nothing else is pending or printed. */
  idle(current: () => ShownProgress): void;
  /** Wraps a stream; on a terminal, the line is cleared before each write, but not for output elsewhere. */
  around(output: Output): Output;
  /** Clears the line until the command has waited another second. */
  clear(): Promise<void>;
  end(): Promise<void>;
}

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
    const columns = output.plain ? undefined : output.stderr.columns - 1;
    if (counts) return { text: bulkLine(counts, now, columns), subject: bulkSubject(counts), isCounted: true };
    const text = waitText(waiting, now);
    return text === undefined
      ? idle?.()
      : { text, subject: waitSubject(waiting), isCounted: waiting.page !== undefined };
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

interface ProgressOutput {
  clock: Clock;
  stderr: Output;
  /** Set for separate lines without repainting. */
  plain: boolean;
}

export interface ShownProgress {
  text: string;
  /** If it is the same, only a count in the text has changed. */
  subject: string;
  /** Whether the subject changes with each tenth of a count, so that plain lines need no time. */
  isCounted?: boolean;
}

function createProgressReporter({ clock, stderr, plain }: ProgressOutput, current: () => ShownProgress | undefined) {
  const tick = plain ? PROGRESS_DELAY : PROGRESS_TICK;
  let line: WaitLine | undefined;
  let stretch: AbortController | undefined;
  const showProgress = async (left: AbortSignal) => {
    await clock.sleep(PROGRESS_DELAY, left);
    line ??= plain ? plainLines(stderr, clock) : paintedLine(stderr);
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

interface WaitLine {
  show(shown: ShownProgress): Promise<void>;
  clear(): Promise<void>;
}

const CLEAR = "\r\u001b[K";

/** Returns one repainted line within the width: a wrapped one can't be cleared. */
function paintedLine(stderr: Output): WaitLine {
  let painted: string | undefined;
  return {
    async show({ text }) {
      const line = cutText(text, stderr.columns - 1);
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

/** Returns plain lines for screen readers and simple terminals: one per new subject, or without a count every ten seconds. */
function plainLines(stderr: Output, clock: Clock): WaitLine {
  let shown: string | undefined;
  let next = 0;
  return {
    async show({ text, subject, isCounted }) {
      const now = clock.elapsed();
      if (subject === shown && (isCounted || now < next)) return;
      [shown, next] = [subject, now + PROGRESS_LINE];
      await stderr.write(`${escapeText(text)}\n`);
    },
    clear: async () => {},
  };
}

export function openProgress({ clock, stderr, env }: App, { quiet, verbose }: CommonFlags): Progress {
  if (!stderr.isTerminal || quiet || verbose) return NO_PROGRESS;
  return createProgress({ clock, stderr: asciiOutput(stderr, env), plain: hasPlainLines(env) });
}

/** Returns the app with outputs that clear the progress line first. Parts that open on first use stay unopened. */
export function clearingProgress(world: App, progress: Progress): App {
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
