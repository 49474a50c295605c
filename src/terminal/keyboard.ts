import type { Readable } from "node:stream";
import type { JobControl } from "./streams/output.ts";

export interface Keyboard {
  /** Passes e.g. `up`, `enter`, `a`, at last `end`. Ctrl-Z stops the process. @returns gives the terminal back */
  listen(pressed: (key: string) => void): () => void;
}

interface KeyboardStreams {
  input: Readable & { setRawMode?(isRaw: boolean): unknown };
  jobs: JobControl;
  clock: { sleep(milliseconds: number, signal?: AbortSignal): Promise<void> };
}

/** The time in which the rest of a key's sequence arrives, and what was typed before the process continued. */
const REST_OF_KEY = 50;
const CTRL_Z = "ctrl-z";

export function createKeyboard({ input, jobs, clock }: KeyboardStreams): Keyboard {
  return {
    listen(pressed) {
      const decoder = new TextDecoder();
      let rest = "";
      let waiting: AbortController | undefined;
      let isOver = false;
      const dropped = createDropping(clock);
      const press = (key: string) => {
        if (isOver || dropped.isOn()) return;
        if (key === CTRL_Z) jobs.stop();
        else pressed(key);
      };
      const take = (text: string, isWhole: boolean) => {
        const parsed = parseKeys(text, isWhole);
        rest = parsed.rest;
        parsed.keys.forEach(press);
      };
      const flush = async (left: AbortSignal) => {
        await clock.sleep(REST_OF_KEY, left);
        if (!left.aborted) take(rest, true);
      };
      const hear = (chunk: Uint8Array | string) => {
        if (dropped.isOn()) return;
        waiting?.abort();
        take(rest + (typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })), false);
        if (rest === "") return;
        waiting = new AbortController();
        void flush(waiting.signal);
      };
      const end = () => pressed("end");
      const begin = () => {
        input.setRawMode?.(true);
        input.resume();
      };
      const remove = jobs.add({
        leave() {
          dropped.begin();
          input.setRawMode?.(false);
        },
        resume() {
          begin();
          dropped.endSoon();
        },
      });
      input.on("data", hear);
      input.on("end", end);
      begin();
      return () => {
        isOver = true;
        remove();
        waiting?.abort();
        input.off("data", hear);
        input.off("end", end);
        input.setRawMode?.(false);
        input.pause();
      };
    },
  };
}

/** Says whether keys are dropped: from when the process stops until a moment after it continues. */
function createDropping(clock: KeyboardStreams["clock"]) {
  let current: AbortController | undefined;
  const begin = () => {
    current?.abort();
    current = new AbortController();
    return current.signal;
  };
  return {
    isOn: () => current !== undefined,
    begin,
    endSoon() {
      const again = begin();
      void clock.sleep(REST_OF_KEY, again).then(() => {
        if (!again.aborted) current = undefined;
      });
    },
  };
}

const KEY = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Za-z])|[\s\S]/gu;
const UNFINISHED = /\u001b(?:\[[0-9;?]*[ -/]*|O)?$/;

export function parseKeys(text: string, isWhole: boolean): { keys: string[]; rest: string } {
  const rest = isWhole ? "" : (UNFINISHED.exec(text)?.[0] ?? "");
  const typed = text.slice(0, text.length - rest.length);
  return { keys: [...typed.matchAll(KEY)].flatMap(([key]) => nameKey(key)), rest };
}

const NAMES: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\u001b": "escape",
  "\u007f": "backspace",
  "\b": "backspace",
  "[A": "up",
  OA: "up",
  "[B": "down",
  OB: "down",
  "[5~": "page-up",
  "[6~": "page-down",
  "[H": "home",
  OH: "home",
  "[1~": "home",
  "[F": "last",
  OF: "last",
  "[4~": "last",
};
const FIRST_LETTER = 96;

function nameKey(key: string): string[] {
  const name = NAMES[key] ?? NAMES[key.slice(1)];
  if (name !== undefined) return [name];
  if (/^[\u0001-\u001a]$/.test(key)) return [`ctrl-${String.fromCharCode(FIRST_LETTER + key.charCodeAt(0))}`];
  return /^\P{C}$/u.test(key) ? [key] : [];
}
