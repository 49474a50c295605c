import type { Transport } from "../../../src/client/transport/transport.ts";
import { createScreen } from "../../e2e/terminal/screen.ts";
import { runHere, testApp, type World, words } from "../../helpers/cli.ts";
import { type SteppedClock, steppedClock } from "../../helpers/stepped-clock.ts";

/** Seconds after which nothing new appears: the first run of a command also loads its modules meanwhile. */
const MOST_TURNS = 300;

/** Runs `top` on a clock that the test moves; `type` presses keys, and `lines` returns what the terminal shows. */
export async function shownTop(
  line: string,
  world: World & { service?: Transport } = {},
  clock: SteppedClock = steppedClock(),
) {
  const interrupt = new AbortController();
  let pressed: (key: string) => void = () => {};
  const keyboard = {
    listen(heard: (key: string) => void) {
      pressed = heard;
      return () => {
        pressed = () => {};
      };
    },
  };
  const env = { RELAYCTL_SERVER: "http://127.0.0.1:8080", RELAYCTL_TOKEN: "x", NO_COLOR: "1", LC_ALL: "C.UTF-8" };
  const made = testApp({
    ...{ terminal: true, columns: 110, rows: 20, keyboard, clock, interrupt: interrupt.signal },
    ...(world.env && { env: { ...env, ...world.env } }),
    ...world,
  });
  let isOver = false;
  const ended = runHere(made, words(line)).finally(() => {
    isOver = true;
  });
  onTestFinished(() => interrupt.abort("interrupted"));
  const settle = async () => {
    for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (seconds: number) => {
    for (let part = 0; part < seconds * 2; part++) {
      await clock.pass(500);
      await settle();
    }
  };
  while (made.stdout.text() === "" && !isOver) {
    await settle();
    await clock.pass(100);
  }
  const screenNow = () => {
    const screen = createScreen(made.stdout.columns);
    screen.write(made.stdout.text());
    return screen;
  };
  const shown = () => screenNow().lines().join("\n");
  return {
    /** Lets loading and reading continue until the terminal, or the text, matches. */
    async sees(pattern: RegExp) {
      for (let turn = 0; turn < MOST_TURNS && !isOver; turn++) {
        if (pattern.test(shown()) || pattern.test(made.stderr.text())) return;
        await pass(1);
      }
      throw new Error(`it does not show ${pattern}:\n${shown()}\n${made.stderr.text()}`);
    },
    ...{ ...made, pass, clock, ended, interrupt },
    async type(...keys: readonly string[]) {
      for (const key of keys) {
        pressed(key);
        await pass(1);
      }
    },
    shown,
  };
}
