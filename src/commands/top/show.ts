import type { App } from "../../app.ts";
import { createFullScreen, type FullScreen } from "../../terminal/full-screen.ts";
import type { Keyboard } from "../../terminal/keyboard.ts";
import type { Dispatch } from "./state.ts";

export interface Show {
  /** Paints the picture again soon, if it differs. */
  changed(): void;
  run(): Promise<void>;
  /** Gives the terminal to a command, and takes it back after a key. */
  leaveFor(use: () => Promise<void>): Promise<void>;
  whenShown(): Promise<void>;
  /** @param leavesPicture whether the last picture stays readable */
  end(leavesPicture: boolean): Promise<void>;
}

interface Shown {
  draw(): readonly string[];
  dispatch: Dispatch;
  ended: AbortSignal;
}

const COLOR_OR_LINK = /\u001b(?:\[[0-9;]*m|\]8;;[\x21-\x7e]*\u001b\\)/g;

export async function createShow(app: App, { draw, dispatch, ended }: Shown): Promise<Show> {
  const { clock, stdout } = app;
  const keyboard = await app.keyboard();
  const taken = takeTerminal(app, keyboard, dispatch);
  const changes = createChanges(ended);
  const pace = createPace(clock);
  let away: Promise<void> | undefined;
  const lend = async (use: () => Promise<void>) => {
    await taken.leave();
    await use();
    if (app.interrupt.aborted) return;
    await app.stderr.write("press any key to return to top\n");
    await nextKey(keyboard, ended);
    if (!ended.aborted) taken.enter();
  };
  taken.enter();
  return {
    changed: changes.add,
    async run() {
      while (!ended.aborted) {
        await changes.next();
        await clock.sleep(pace.wait(), ended);
        await away;
        if (ended.aborted) return;
        changes.take();
        if (await taken.screen()?.paint(draw())) pace.count();
      }
    },
    async leaveFor(use) {
      away = lend(use).finally(() => {
        away = undefined;
        changes.add();
      });
      await away;
    },
    whenShown: async () => await away,
    async end(leavesPicture) {
      await away?.catch(() => {});
      const isShown = taken.screen() !== undefined;
      await taken.leave();
      const lines = draw().map((line) => line.replace(COLOR_OR_LINK, "").trimEnd());
      if (leavesPicture && isShown) await stdout.write(`${lines.join("\n").trimEnd()}\n`);
    },
  };
}

function takeTerminal({ stdout }: App, keyboard: Keyboard, dispatch: Dispatch) {
  let screen: FullScreen | undefined;
  let stopKeys = () => {};
  const measure = () => dispatch({ type: "resize", columns: stdout.columns, rows: stdout.rows });
  return {
    screen: () => screen,
    enter() {
      screen = createFullScreen(stdout);
      screen.onLoss(measure);
      stopKeys = keyboard.listen((key) => dispatch({ type: "key", key }));
      measure();
    },
    async leave() {
      stopKeys();
      stopKeys = () => {};
      const left = screen;
      screen = undefined;
      await left?.end();
    },
  };
}

function createChanges(ended: AbortSignal) {
  let isChanged = true;
  let wake = () => {};
  ended.addEventListener("abort", () => wake());
  return {
    add() {
      isChanged = true;
      wake();
    },
    take() {
      isChanged = false;
    },
    next: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
        if (isChanged || ended.aborted) resolve();
      }),
  };
}

/** The most pictures in a time in milliseconds. */
const [SPAN, MOST_PAINTS] = [1_000, 2];

function createPace(clock: App["clock"]) {
  const paints: number[] = [];
  return {
    wait: () => Math.max(0, (paints.at(-MOST_PAINTS) ?? Number.NEGATIVE_INFINITY) + SPAN - clock.elapsed()),
    count() {
      paints.push(clock.elapsed());
      if (paints.length > MOST_PAINTS) paints.shift();
    },
  };
}

async function nextKey(keyboard: Keyboard, ended: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = keyboard.listen(() => over());
    const over = () => {
      ended.removeEventListener("abort", over);
      stop();
      resolve();
    };
    ended.addEventListener("abort", over);
  });
}
