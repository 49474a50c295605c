import { learnLinks } from "../../command-support/links.ts";
import { createOutageNotes, liveForm, writeEvent } from "../../command-support/live.ts";
import { printerOf } from "../../command-support/printing.ts";
import type { JsonObject } from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import { visible } from "../../terminal/escape.ts";
import { printDrawn } from "../../terminal/printer.ts";
import { renderView } from "../../terminal/render.ts";
import type { View } from "../../terminal/view.ts";
import { LONGEST_WATCH_PAUSE, REQUEST_SPACING } from "../../timing.ts";
import type { Call } from "../command.ts";
import { type Change, changesBetween, changeText } from "./changes.ts";
import { type Choice, choiceOf } from "./choice.ts";
import { eventLine } from "./event-line.ts";
import type { WatchFlag } from "./flag.ts";
import { paintedReporter } from "./painted.ts";
import type { Reading, Watched, WatchReporter } from "./watched.ts";

/**
 * Reads repeatedly until Ctrl-C or `--deadline`. The first read must succeed; later ones may fail if the failure is
 * temporary. Ctrl-C is how a watch ends: it is no error.
 */
export async function runWatch<T extends JsonObject>(call: Call<WatchFlag>, typed: Watched<T>): Promise<View> {
  const watched: Watched = typed;
  const { slower } = watched;
  const listed = await watched.read();
  const first = slower?.isNeeded ? await slower.read() : listed;
  const reporter = await readReporter(call, watched);
  try {
    await report(call, watched, reporter, first);
    await readOn(call, watched, reporter, first);
  } catch (error) {
    if (!isStopped(call, error)) throw error;
  } finally {
    await reporter.end();
  }
  return { kind: "nothing" };
}

async function report(call: Call, watched: Watched, reporter: WatchReporter, reading: Reading): Promise<void> {
  await learnLinks(call, reading.items, { mayRead: true });
  await reporter.seen(reading, await choiceOf(call, watched.view([]).resource));
}

function isStopped({ app: { interrupt } }: Call, error: unknown): boolean {
  return interrupt.reason === "interrupted" && error instanceof RelayctlError && error.failure === "interrupted";
}

async function readReporter(call: Call, watched: Watched): Promise<WatchReporter> {
  const reporter = await drawingReporter(call, watched);
  if (!watched.onChange) return reporter;
  const { runningOnChange } = await import("./on-change/on-change.ts");
  return runningOnChange(call, watched, { argv: watched.onChange, reporter });
}

async function drawingReporter(call: Call, watched: Watched): Promise<WatchReporter> {
  const form = liveForm(call);
  if (form === "events") return eventReporter(call, watched);
  return form === "screen" ? await paintedReporter(call, watched) : lineReporter(call, watched);
}

async function readOn(call: Call<WatchFlag>, watched: Watched, reporter: WatchReporter, first: Reading): Promise<void> {
  const { clock } = call.app;
  const { slower } = watched;
  let fault: { error: unknown } | undefined;
  let slowerDue = slower?.isNeeded ? clock.elapsed() + slower.every : clock.elapsed();
  const readSlower = () => {
    if (!slower || clock.elapsed() < slowerDue) return;
    slowerDue = Number.POSITIVE_INFINITY;
    const read = async () => {
      const reading = await slower.read();
      slowerDue = clock.elapsed() + computePace(slower.every, reading.requests);
      await report(call, watched, reporter, reading);
    };
    // An error ends the watch at its next read.
    read().catch((error: unknown) => {
      fault = { error };
    });
  };
  let pace = computePace(watched.every, first.requests);
  let slowdown = 1;
  for (;;) {
    readSlower();
    if (!(await isTimeAgain(call, watched, reporter, Math.min(pace * slowdown, Math.max(pace, LONGEST_WATCH_PAUSE)))))
      return;
    if (fault) throw fault.error;
    const { reading, refused } = await readAgain(call, watched, reporter);
    // A service that refuses by rate is asked less often.
    slowdown = refused ? slowdown * 2 : 1;
    if (reading) pace = computePace(watched.every, reading.requests);
  }
}

/** Returns the milliseconds until the next read: a large fleet is read less often than was typed. */
function computePace(every: number, requests: number): number {
  return Math.max(every, requests * REQUEST_SPACING);
}

async function isTimeAgain(
  { app: { clock, interrupt } }: Call,
  { session }: Watched,
  reporter: WatchReporter,
  pause: number,
): Promise<boolean> {
  const left = () => session.remaining?.() ?? Number.POSITIVE_INFINITY;
  const until = clock.elapsed() + pause;
  for (let wait = pause; wait > 0; wait = until - clock.elapsed()) {
    const due = reporter.due() ?? Number.POSITIVE_INFINITY;
    await clock.sleep(Math.max(0, Math.min(wait, due, left())), interrupt);
    if (interrupt.aborted) throw new RelayctlError("interrupted", "the watch was interrupted");
    if (left() <= 0) return false;
    if (due <= wait && clock.elapsed() < until) await reporter.redraw();
  }
  return left() > 0;
}

async function readAgain(
  call: Call,
  watched: Watched,
  reporter: WatchReporter,
): Promise<{ reading?: Reading; refused?: boolean }> {
  try {
    const reading = await watched.read();
    await report(call, watched, reporter, reading);
    return { reading };
  } catch (error) {
    const passes = error instanceof RelayctlError && error.retryable && !call.app.interrupt.aborted;
    if (!passes) throw error;
    if ((watched.session.remaining?.() ?? 1) > 0) await reporter.failed(error);
    return { refused: error.failure === "rate_limited" };
  }
}

/** Prints one JSON object per line: each item at first, then each change, with its time. */
function eventReporter(call: Call<WatchFlag>, watched: Watched): WatchReporter {
  const { stdout } = call.app;
  return reportChanges(call, watched, async (changes, choice) => {
    for (const change of changes) {
      const line = eventLine(change, watched, choice);
      await writeEvent(stdout, line);
    }
  });
}

function lineReporter(call: Call<WatchFlag>, watched: Watched): WatchReporter {
  const printer = printerOf(call);
  return reportChanges(call, watched, async (changes, { time }, reading, isFirst) => {
    if (isFirst) return await renderView(watched.view(reading.items), { ...call.output, format: "table" }, printer);
    for (const change of changes) {
      await printDrawn(`${time}  ${visible(changeText(change, watched))}\n`, printer);
    }
  });
}

type Report = (changes: readonly Change[], choice: Choice, reading: Reading, isFirst: boolean) => Promise<void>;

function reportChanges(call: Call<WatchFlag>, watched: Watched, report: Report): WatchReporter {
  let before: readonly JsonObject[] | undefined;
  let trouble: string | undefined;
  const noteOutage = createOutageNotes(call, `retrying every ${call.flags.watch}`);
  return {
    async seen(reading, choice) {
      await noteOutage();
      if (reading.trouble !== undefined && reading.trouble !== trouble) await call.say(`note: ${reading.trouble}`);
      trouble = reading.trouble;
      const items = before === undefined ? choice.sorted(reading.items) : reading.items;
      const changes = changesBetween(before, items, { ...watched, ...choice });
      const isFirst = before === undefined;
      before = reading.items;
      await report(changes, choice, reading, isFirst);
    },
    failed: noteOutage,
    noted: (line) => call.say(line),
    due: () => undefined,
    redraw: async () => {},
    end: async () => {},
  };
}
