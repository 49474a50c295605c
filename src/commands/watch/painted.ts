import { createPaintedScreen } from "../../command-support/painted-screen.ts";
import { printerOf } from "../../command-support/printing.ts";
import type { JsonObject } from "../../contract/json.ts";
import { outputForPeople } from "../../terminal/ascii.ts";
import { visible } from "../../terminal/escape.ts";
import { createStyle } from "../../terminal/style.ts";
import { MARK_TIME } from "../../timing.ts";
import type { Call } from "../command.ts";
import { type Change, changesBetween, changeText } from "./changes.ts";
import { type Drawing, fittedScreen, wholeScreen } from "./drawing.ts";
import type { WatchFlag } from "./flag.ts";
import type { Reading, Watched, WatchReporter } from "./watched.ts";

/** The most events that are remembered. */
const LONGEST_LOG = 100;

/**
 * Repaints the list at every read and terminal resize: with a mark at what changed, for a few seconds, and a log of
 * changes below. The last list and the log stay readable.
 */
export async function paintedReporter(call: Call<WatchFlag>, watched: Watched): Promise<WatchReporter> {
  const { clock, env } = call.app;
  const stdout = outputForPeople(call.app.stdout, env);
  const style = await createStyle(printerOf(call).color);
  const screen = createPaintedScreen(stdout);
  const marks = new Map<string, number>();
  const log: string[] = [];
  let latest: Reading | undefined;
  let drawing: Drawing | undefined;
  let trouble: string | undefined;
  let isEnded = false;
  const now = () => `${new Date(clock.now()).toISOString().slice(11, 19)}Z`;
  const add = (words: string) => {
    log.push(`${style.faint(now())}  ${visible(words)}`);
    if (log.length > LONGEST_LOG) log.shift();
  };
  const mark = (item: JsonObject) => marks.set(watched.idOf(item), clock.elapsed() + MARK_TIME);
  const isMarked = (item: JsonObject) => (marks.get(watched.idOf(item)) ?? 0) > clock.elapsed();
  const addChange = (change: Change) => {
    add(changeText(change, watched));
    if (change.event !== "removed") mark(change.item);
  };
  const footer = (time: string) => {
    const parts = [time, trouble === undefined ? watched.session.name : `no response: ${trouble}`, latest?.trouble];
    const every = `every ${call.flags.watch}, Ctrl-C to stop`;
    return [...parts, ...(trouble === undefined ? [] : [watched.session.name]), every].filter(Boolean).join(" · ");
  };
  const show = async () => {
    const shown = drawing;
    if (!isEnded && shown) await screen.show(() => fittedScreen(call, shown), visible(footer(now())));
  };
  return {
    async seen(reading, choice) {
      if (isEnded) return;
      const { idOf, isMoved } = watched;
      const before = latest?.items;
      const old = new Map(before?.map((item) => [idOf(item), item]));
      for (const item of reading.items) {
        const was = old.get(idOf(item));
        if (was && isMoved?.(was, item)) mark(item);
      }
      if (before) changesBetween(before, reading.items, { ...watched, ...choice }).forEach(addChange);
      if (trouble !== undefined) add("the service is responding again");
      trouble = undefined;
      latest = reading;
      drawing = { watched, choice, items: reading.items, isMarked, log };
      await show();
    },
    async failed({ message }) {
      if (trouble === undefined) add(`no response: ${message}`);
      trouble = message;
      await show();
    },
    async noted(line) {
      add(line);
      await show();
    },
    due() {
      const left = [...marks.values()].map((until) => until - clock.elapsed()).filter((time) => time > 0);
      return left.length === 0 ? undefined : Math.min(...left);
    },
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
