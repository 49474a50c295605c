import { loadLinks } from "../../command-support/links.ts";
import { endedByCtrlC, liveForm, liveTimeOfDay, outageNotes, writeLiveEvent } from "../../command-support/live.ts";
import { printerOf } from "../../command-support/printing.ts";
import { groupDigits } from "../../contract/decimal.ts";
import type { JsonObject } from "../../contract/json.ts";
import { interruptedError, RelayctlError } from "../../errors.ts";
import { messageText } from "../../message.ts";
import { asciiDrawing, asciiOutput, showsAscii } from "../../terminal/ascii.ts";
import { escapeText } from "../../terminal/escape.ts";
import { drawnMessage } from "../../terminal/message.ts";
import { createPaintedScreen, paintedRows, paintedRowsTaken } from "../../terminal/painter.ts";
import { printDrawn } from "../../terminal/printer.ts";
import { renderView } from "../../terminal/render.ts";
import type { Output } from "../../terminal/streams/output.ts";
import { createStyle } from "../../terminal/style.ts";
import type { View } from "../../terminal/view.ts";
import { LONGEST_WATCH_PAUSE, MARK_TIME, REQUEST_SPACING } from "../../timing.ts";
import type { Call } from "../command.ts";
import type { WatchFlag } from "./flag.ts";
import {
  changeText,
  type Watched,
  type WatchedChange,
  type WatchedItem,
  type WatchReading,
  type WatchReporter,
  type WatchSelection,
  watchedChanges,
  watchedChoice,
  watchedEventLine,
  watchedItem,
} from "./watched.ts";

interface Drawing {
  watched: Watched;
  choice: WatchSelection;
  items: readonly JsonObject[];
  isMarked?(item: JsonObject): boolean;
  /** One line for each event, the newest last. */
  log: readonly string[];
}

const LEAST_LOG = 5;
/** The events, and the rows of the list, that stay on the screen at the end. */
const [LAST_EVENTS, LAST_ROWS] = [20, 200];

/** Returns the list and the log below it as the terminal has room: the most important rows, and how many more. */
async function fittedScreen(call: Call, drawing: Drawing): Promise<string> {
  const { env, stdout } = call.app;
  const shown = showsAscii(stdout, env) ? asciiDrawing : (line: string) => line;
  const room = paintedRows(stdout);
  const rowsTaken = (lines: readonly string[]) =>
    lines.reduce((sum, line) => sum + paintedRowsTaken(shown(line), stdout.columns, room), 0);
  const ranked = rankedItems(drawing);
  const most = Math.min(ranked.length, room);
  if (most === ranked.length) {
    for (const withNotes of [true, false]) {
      const all = await drawLines(call, drawing, ranked, withNotes);
      if (rowsTaken(all) <= room) return joinLines([...all, ...logFor(drawing, room - rowsTaken(all), rowsTaken)]);
    }
  }
  const log = logFor(drawing, Math.min(LEAST_LOG + 1, Math.floor(room / 3)), rowsTaken);
  const left = room - rowsTaken(log) - rowsTaken([restText(drawing, ranked)]);
  const { lines, count } = await mostThatFit(most, async (tried) => {
    const found = await drawLines(call, drawing, ranked.slice(0, tried), false);
    return rowsTaken(found) <= left ? found : undefined;
  });
  return joinLines([...lines, restText(drawing, ranked.slice(count)), ...log]);
}

async function mostThatFit(most: number, linesFor: (count: number) => Promise<readonly string[] | undefined>) {
  let best: { lines: readonly string[]; count: number } = { lines: [], count: 0 };
  for (let [low, high] = [1, most]; low <= high; ) {
    const count = Math.ceil((low + high) / 2);
    const lines = await linesFor(count);
    if (lines) [best, low] = [{ lines, count }, count + 1];
    else high = count - 1;
  }
  return best;
}

async function wholeScreen(call: Call, drawing: Drawing): Promise<string> {
  const ranked = rankedItems(drawing);
  const [shown, others] = [ranked.slice(0, LAST_ROWS), ranked.slice(LAST_ROWS)];
  const rest = others.length === 0 ? [] : [restText(drawing, others)];
  const log = drawing.log.slice(-LAST_EVENTS);
  return joinLines([...(await drawLines(call, drawing, shown)), ...rest, ...(log.length === 0 ? [] : ["", ...log])]);
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns the displayed items, the most important first: new changes, then by rank or as sorted. */
function rankedItems({ watched, choice, items, isMarked }: Drawing): readonly JsonObject[] {
  const { isWanted, sorted, limit, isSorted } = choice;
  const listed = sorted(items.filter(isWanted)).slice(0, limit);
  const rankFor = (item: JsonObject) => (isMarked?.(item) ? -1 : isSorted ? 0 : watched.rankOf(item));
  return listed
    .map((item) => ({ item, rank: rankFor(item) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

async function drawLines(
  call: Call,
  { watched, items, isMarked }: Drawing,
  rows: readonly JsonObject[],
  withNotes = true,
): Promise<readonly string[]> {
  const pieces: string[] = [];
  const keep = async (piece: string | Uint8Array) => void pieces.push(Buffer.from(piece).toString());
  const lineAt = { columns: call.app.stdout.columns, style: await createStyle(false) };
  const stdout: Output = Object.create(call.app.stdout, { write: { value: keep } });
  const shown = new Set(rows.map(watched.idOf));
  const view = watched.view(items, isMarked);
  await renderView(
    { ...view, ...(isMarked && { isMarked }), rows: (all) => all.filter((item) => shown.has(watched.idOf(item))) },
    { ...call.output, format: "table", now: call.app.clock.now() },
    {
      ...printerOf(call),
      stdout,
      note: async (line) => void (withNotes && (await keep(drawnMessage(line, lineAt)))),
    },
  );
  return pieces.join("").trimEnd().split("\n");
}

function logFor({ log }: Drawing, room: number, rowsOf: (lines: readonly string[]) => number): readonly string[] {
  let from = log.length;
  while (from > 0 && 1 + rowsOf(log.slice(from - 1)) <= room) from--;
  return from === log.length ? [] : ["", ...log.slice(from)];
}

/** Returns `… 12 more relayers: 2 paused, 10 active` */
function restText({ watched, items }: Drawing, rest: readonly JsonObject[]): string {
  const { one, many } = watched.view(items).resource;
  const counts = new Map<string, number>();
  for (const item of rest) {
    const [state = ""] = watched.stateOf(item).split(" · ");
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const states = [...counts].map(([state, count]) => `${groupDigits(count)} ${state}`);
  return escapeText(`… ${groupDigits(rest.length)} more ${rest.length === 1 ? one : many}: ${states.join(", ")}`);
}

const LONGEST_LOG = 100;

async function paintedReporter(call: Call<WatchFlag>, watched: Watched): Promise<WatchReporter> {
  const { clock, env } = call.app;
  const stdout = asciiOutput(call.app.stdout, env);
  const style = await createStyle(printerOf(call).color);
  const screen = createPaintedScreen(stdout);
  const marks = createMarks(watched, clock);
  const log: string[] = [];
  let unread: string | undefined;
  let drawing: Drawing | undefined;
  let trouble: string | undefined;
  let isEnded = false;
  const now = () => liveTimeOfDay(clock.now());
  const add = (words: string) => {
    log.push(`${style.faint(now())}  ${escapeText(words)}`);
    if (log.length > LONGEST_LOG) log.shift();
  };
  const addChange = (change: WatchedChange) => {
    add(changeText(change, watched));
    if (change.event !== "removed") marks.mark(change.item);
  };
  const footer = (time: string) => {
    const parts = [time, trouble === undefined ? watched.session.name : `no response: ${trouble}`, unread];
    const every = `every ${call.flags.watch}, Ctrl-C to stop`;
    return [...parts, ...(trouble === undefined ? [] : [watched.session.name]), every].filter(Boolean).join(" · ");
  };
  const show = async () => {
    const shown = drawing;
    if (!isEnded && shown) await screen.show(() => fittedScreen(call, shown), escapeText(footer(now())));
  };
  return {
    async seen({ reading, choice, changes, before }) {
      if (isEnded) return;
      marks.markMoved(before, reading.items);
      if (before) changes.forEach(addChange);
      if (trouble !== undefined) add("the service is responding again");
      trouble = undefined;
      unread = reading.trouble;
      drawing = { watched, choice, items: reading.items, isMarked: marks.isMarked, log };
      await show();
    },
    async failed({ message }) {
      if (trouble === undefined) add(`no response: ${message}`);
      trouble = message;
      await show();
    },
    async noted(line) {
      add(messageText(line));
      await show();
    },
    due: marks.due,
    redraw: show,
    async end() {
      isEnded = true;
      await screen.end();
      if (!drawing) return;
      const { isMarked: _, ...unmarked } = drawing;
      await stdout.write(await wholeScreen(call, unmarked));
    },
  };
}

function createMarks(watched: Watched, clock: Call["app"]["clock"]) {
  const marks = new Map<string, number>();
  const mark = (item: JsonObject) => void marks.set(watched.idOf(item), clock.elapsed() + MARK_TIME);
  return {
    mark,
    isMarked: (item: JsonObject) => (marks.get(watched.idOf(item)) ?? 0) > clock.elapsed(),
    markMoved(before: readonly JsonObject[] | undefined, items: readonly JsonObject[]) {
      const old = new Map(before?.map((item) => [watched.idOf(item), item]));
      for (const item of items) {
        const was = old.get(watched.idOf(item));
        if (was && watched.isMoved?.(was, item)) mark(item);
      }
    },
    due() {
      const left = [...marks.values()].map((until) => until - clock.elapsed()).filter((time) => time > 0);
      return left.length === 0 ? undefined : Math.min(...left);
    },
  };
}

/** The first read must succeed; later ones may fail temporarily. Ctrl-C ends a watch without an error. */
export async function runWatch<T extends JsonObject>(call: Call<WatchFlag>, typed: Watched<T>): Promise<View> {
  const watched: Watched = typed;
  const { slower } = watched;
  const listed = await watched.read();
  const first = slower?.isNeeded ? await slower.read() : listed;
  const form = liveForm(call);
  const reporter =
    form === "screen" ? await paintedReporter(call, watched) : printingReporter(call, watched, form === "events");
  const queue = await openQueue(call, watched, reporter);
  const report = createReport(call, watched, { reporter, queue });
  try {
    await report(first);
    await readOn(call, watched, { reporter, report, first });
  } catch (error) {
    if (!endedByCtrlC(call, error)) throw error;
  } finally {
    try {
      await reporter.end?.();
    } finally {
      await queue?.end();
    }
  }
  return { kind: "nothing" };
}

/** Opens the queue of the `--on-change` program, which gets each change's event on stdin. */
async function openQueue({ app }: Call, { onChange }: Watched, { noted }: WatchReporter) {
  return onChange && (await import("./on-change/on-change.ts")).createOnChangeQueue(app, onChange, noted);
}

interface Watching {
  reporter: WatchReporter;
  report: ReturnType<typeof createReport>;
  first: WatchReading;
}

function createReport(
  call: Call,
  watched: Watched,
  { reporter, queue }: Pick<Watching, "reporter"> & { queue: Awaited<ReturnType<typeof openQueue>> },
) {
  let before: readonly WatchedItem[] | undefined;
  return async (reading: WatchReading): Promise<void> => {
    await loadLinks(call, reading.items, { mayRead: true });
    const choice = await watchedChoice(call, watched.view([]).resource);
    const items = before ? reading.items : choice.sorted(reading.items);
    const now = items.map((item) => watchedItem(item, { ...watched, ...choice }));
    const changes = watchedChanges(before, now, watched);
    const seen = { reading, choice, changes, before: before?.map(({ item }) => item) };
    before = now;
    await reporter.seen(seen);
    if (seen.before) for (const change of seen.changes) queue?.add(watchedEventLine(change, watched, choice));
  };
}

async function readOn(call: Call<WatchFlag>, watched: Watched, { reporter, report, first }: Watching): Promise<void> {
  const { clock } = call.app;
  const { slower } = watched;
  let fault: { error: unknown } | undefined;
  let slowerDue = slower?.isNeeded ? clock.elapsed() + slower.every : clock.elapsed();
  const readSlower = () => {
    if (!slower || clock.elapsed() < slowerDue) return;
    slowerDue = Number.POSITIVE_INFINITY;
    const read = async () => {
      const reading = await slower.read();
      slowerDue = clock.elapsed() + readInterval(slower.every, reading.requests);
      await report(reading);
    };
    // An error ends the watch at its next read.
    read().catch((error: unknown) => {
      fault = { error };
    });
  };
  let pace = readInterval(watched.every, first.requests);
  let slowdown = 1;
  for (;;) {
    readSlower();
    if (!(await isTimeAgain(call, watched, reporter, Math.min(pace * slowdown, Math.max(pace, LONGEST_WATCH_PAUSE)))))
      return;
    if (fault) throw fault.error;
    const read = await readAgain(call, watched, { reporter, report });
    // A service that refuses by rate is asked less often.
    slowdown = read === "refused" ? slowdown * 2 : 1;
    if (typeof read === "object") pace = readInterval(watched.every, read.requests);
  }
}

async function readAgain(call: Call, watched: Watched, { reporter, report }: Pick<Watching, "reporter" | "report">) {
  try {
    const reading = await watched.read();
    await report(reading);
    return reading;
  } catch (error) {
    const passes = error instanceof RelayctlError && error.retryable && !call.app.interrupt.aborted;
    if (!passes) throw error;
    if ((watched.session.remaining?.() ?? 1) > 0) await reporter.failed(error);
    return error.failure === "rate_limited" ? "refused" : "failed";
  }
}

/** Returns the milliseconds until the next read: a large fleet is read less often than was typed. */
function readInterval(every: number, requests: number): number {
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
    const due = reporter.due?.() ?? Number.POSITIVE_INFINITY;
    await clock.sleep(Math.max(0, Math.min(wait, due, left())), interrupt);
    if (interrupt.aborted) throw interruptedError(" while watching");
    if (left() <= 0) return false;
    if (due <= wait && clock.elapsed() < until) await reporter.redraw?.();
  }
  return left() > 0;
}

/** Prints each item at first, then each change with its time: as a JSON object per line, or as a list and lines of text. */
function printingReporter(call: Call<WatchFlag>, watched: Watched, isEvents: boolean): WatchReporter {
  const { stdout } = call.app;
  const printer = printerOf(call);
  const noteOutage = outageNotes(call, `retrying every ${call.flags.watch}`);
  let trouble: string | undefined;
  return {
    async seen({ reading, choice, changes, before }) {
      await noteOutage();
      if (reading.trouble !== undefined && reading.trouble !== trouble) await call.say({ note: reading.trouble });
      trouble = reading.trouble;
      if (!isEvents && !before)
        return await renderView(watched.view(reading.items), { ...call.output, format: "table" }, printer);
      for (const change of changes)
        if (isEvents) await writeLiveEvent(stdout, watchedEventLine(change, watched, choice));
        else await printDrawn(`${choice.time}  ${escapeText(changeText(change, watched))}\n`, printer);
    },
    failed: noteOutage,
    noted: (line) => call.say(line),
  };
}
