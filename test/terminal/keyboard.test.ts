import { PassThrough } from "node:stream";
import { createKeyboard, parseKeys } from "../../src/terminal/keyboard.ts";
import type { Stoppable } from "../../src/terminal/streams/output.ts";
import { steppedClock } from "../helpers/stepped-clock.ts";

test.each([
  ["letters and signs are their own names", "aZ/?é€", ["a", "Z", "/", "?", "é", "€"]],
  ["arrows have names in both modes of a terminal", "\u001b[A\u001bOA\u001b[B\u001bOB", ["up", "up", "down", "down"]],
  ["other keys that move have names", "\u001b[5~\u001b[6~\u001b[H\u001b[F", ["page-up", "page-down", "home", "last"]],
  ["Enter, Escape, and Backspace have names", "\r\u001bx\u007f", ["enter", "escape", "x", "backspace"]],
  ["a letter with Ctrl says so", "\u0003\u0015", ["ctrl-c", "ctrl-u"]],
  ["a response of the terminal is no key", "\u001b[?2026;2$y\u001b[1;5P\u009b", []],
])("%s", (_, typed, keys) => expect(parseKeys(typed, false)).toEqual({ keys, rest: "" }));

function typing() {
  const input = Object.assign(new PassThrough(), {
    modes: [] as boolean[],
    setRawMode: (is: boolean) => input.modes.push(is),
  });
  const parts = new Set<Stoppable>();
  const jobs = {
    stopped: 0,
    stop() {
      jobs.stopped++;
      for (const part of parts) part.leave();
    },
    add(part: Stoppable) {
      parts.add(part);
      return () => parts.delete(part);
    },
    resume: () => parts.forEach((part) => void part.resume()),
  };
  const clock = steppedClock();
  const keys: string[] = [];
  const stop = createKeyboard({ input, jobs, clock }).listen((key) => keys.push(key));
  const type = async (text: string | Uint8Array) => {
    input.write(text);
    await clock.pass(0);
  };
  return { input, jobs, clock, keys, stop, type };
}

test("a key whose sequence arrives in parts is one key, and Escape alone is one after a moment", async () => {
  const { keys, type, clock } = typing();
  await type("\u001b");
  await type("[");
  await type("A");
  expect(keys).toEqual(["up"]);
  await type("\u001b");
  expect(keys).toEqual(["up"]);
  await clock.pass(50);
  expect(keys).toEqual(["up", "escape"]);
});

test("a character whose bytes arrive in parts is one key", async () => {
  const { keys, type } = typing();
  const bytes = new TextEncoder().encode("é");
  await type(bytes.subarray(0, 1));
  await type(bytes.subarray(1));
  expect(keys).toEqual(["é"]);
});

test("Ctrl-Z gives the terminal back and stops the process, and what is typed until it continues is dropped", async () => {
  const { keys, type, jobs, input, clock } = typing();
  await type("\u001ay");
  expect([jobs.stopped, input.modes]).toEqual([1, [true, false]]);
  jobs.resume();
  await type("y");
  // What a shell had in its line arrives later than the signal.
  await clock.pass(49);
  await type("y");
  await clock.pass(1);
  await type("j");
  expect([keys, input.modes]).toEqual([["j"], [true, false, true]]);
});

test("keys arrive until the terminal is given back, and so does the end of the input", async () => {
  const { keys, type, stop, input } = typing();
  stop();
  await type("a");
  expect([keys, input.modes]).toEqual([[], [true, false]]);
  const other = typing();
  other.input.end();
  await other.clock.pass(0);
  expect(other.keys).toEqual(["end"]);
});
