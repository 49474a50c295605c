import type { Readable, Writable } from "node:stream";
import { cancelError, RelayctlError } from "../../errors.ts";
import type { Choice } from "../prompts.ts";
import type { JobControl } from "../streams/output.ts";
import { cutText } from "../text/cut.ts";
import { textWidth, widthUpTo } from "../width.ts";
import { wrapText } from "../wrap.ts";

/** Returns a choice with escaped texts and its value. @param columns of the terminal @param lead before a name */
export function shownChoice<T>(
  { value, name, short, description, disabled }: Choice<T>,
  columns = Number.POSITIVE_INFINITY,
  lead = 0,
) {
  return {
    value,
    name: promptInLines(shownPromptText(name), columns, lead),
    short: shownPromptText(short ?? name),
    ...(description !== undefined && {
      description: promptInLines(shownPromptText(description), columns, DESCRIPTION),
    }),
    ...(disabled !== undefined && { disabled: `(${shownPromptText(disabled)})` }),
  };
}

export function matchChoices<T>(choices: readonly Choice<T>[], typed: string): Choice<T>[] {
  const words = typed.toLowerCase().split(/\s+/);
  return choices.filter(({ name, description = "" }) => {
    const text = `${name}\n${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const DESCRIPTION = 2;
const FIRST = /^\S+(?: \S+)* {2,}/;

/** Wraps between words, where a prompt would break an ID. Rows hang below their second column. */
export function promptInLines(text: string, columns: number, lead: number): string {
  if (widthUpTo(text, columns - lead + 1) <= columns - lead) return text;
  const [first = ""] = FIRST.exec(text) ?? [];
  const below = wrapText(text.slice(first.length), columns - lead - textWidth(first));
  const fits = below.every((line) => textWidth(line) <= columns - lead - textWidth(first));
  if (first !== "" && textWidth(first) <= columns / 2 && fits)
    return first + below.join(`\n${" ".repeat(lead + textWidth(first))}`);
  return wrapText(text, columns - lead).join(`\n${" ".repeat(lead)}`);
}

/** More than a full screen. Every keystroke redraws and wraps the question. */
const LONGEST = 1000;

/** Returns a text for a prompt: escaped, and cut if it is longer than a screen. */
export function shownPromptText(text: string): string {
  return cutText(text, LONGEST);
}

interface Asking {
  input: Readable & { isRaw?: boolean; setRawMode?(isRaw: boolean): unknown };
  output: Writable;
  jobs?: JobControl;
}

const CURSOR_SHOWN = "\u001b[?25h";
/** The start of a question's picture that replaces another. */
const OVER_ANOTHER = /^(?:\u001b\[\d+B)?(?:\u001b\[2K\u001b\[1A)*\u001b\[2K\u001b\[G/;
const MOVE = /^\u001b\[\d+G$/;
const LINES_BELOW = /\u001b\[(\d+)A(?:\u001b\[\d+G)+$/;

/** Redraws the question afterwards: readline would pause its input for good. @returns a function that ends this */
function makeStoppable({ input, output, jobs }: Asking): () => void {
  if (!jobs) return () => {};
  const { emit } = input;
  const { write } = output;
  let picture = "";
  let wasRaw = false;
  input.emit = (event: string, ...values: unknown[]) => {
    if (event !== "keypress" || !isCtrlZ(values[1])) return emit.call(input, event, ...values);
    jobs.stop();
    return true;
  };
  output.write = (...written: unknown[]) => {
    const text = String(written[0]);
    picture = MOVE.test(text) ? picture + text : text.replace(OVER_ANOTHER, "");
    return Reflect.apply(write, output, written);
  };
  const remove = jobs.add({
    leave() {
      const [, below] = LINES_BELOW.exec(picture) ?? [];
      Reflect.apply(write, output, [`${below === undefined ? "" : `\u001b[${below}B`}${CURSOR_SHOWN}`]);
      wasRaw = input.isRaw === true;
      if (wasRaw) input.setRawMode?.(false);
    },
    resume() {
      if (wasRaw) input.setRawMode?.(true);
      Reflect.apply(write, output, [picture]);
    },
  });
  return () => {
    remove();
    input.emit = emit;
    output.write = write;
  };
}

function isCtrlZ(key: unknown): boolean {
  return (
    typeof key === "object" && key !== null && "ctrl" in key && key.ctrl === true && "name" in key && key.name === "z"
  );
}

export interface PromptStreams extends Asking {
  /** If its reason is one of our errors, the prompt rejects with it. */
  interrupt?: AbortSignal;
  clock?: { sleep(milliseconds: number): Promise<void> };
}

export interface PromptContext {
  input: Readable;
  output: Writable;
  signal: AbortSignal;
}

/** Ctrl-C is `interrupted`, any other end `declined`. The library never ends after Ctrl-D. */
export async function runPrompt<T>(
  streams: PromptStreams,
  ask: (context: PromptContext) => Promise<T>,
  { isConsent = false } = {},
): Promise<T> {
  if (isConsent) await dropTyped(streams);
  const { input, output, interrupt } = streams;
  const closed = new AbortController();
  const close = () => closed.abort();
  for (const event of ENDS) input.once(event, close);
  const endStops = makeStoppable(streams);
  const signal = interrupt ? AbortSignal.any([closed.signal, interrupt]) : closed.signal;
  try {
    return await ask({ input, output, signal });
  } catch (error) {
    throw promptError(error, interrupt);
  } finally {
    endStops();
    for (const event of ENDS) input.off(event, close);
  }
}

/** Drops what was typed before a question is there to read: it agrees to nothing. */
async function dropTyped({ input, clock }: PromptStreams): Promise<void> {
  if (!clock) return;
  let dropped = "";
  const drop = (chunk: unknown) => {
    dropped += chunk;
  };
  // Only then does a terminal hand over a line without its end.
  input.setRawMode?.(true);
  input.on("data", drop);
  // It is handed over with the next event, and a paused stream begins to read with the one before.
  for (let event = 0; event < 3; event++) await clock.sleep(0);
  input.off("data", drop);
  input.pause();
  input.setRawMode?.(false);
  if (dropped.includes("\u0003")) throw cancelError("interrupted");
}

const ENDS = ["pause", "end", "close", "error"] as const;

function promptError(error: unknown, interrupt: AbortSignal | undefined): unknown {
  if (interrupt?.aborted) {
    return interrupt.reason instanceof RelayctlError
      ? interrupt.reason.with({ because: UNSENT })
      : cancelError("interrupted");
  }
  if (!(error instanceof Error)) return error;
  if (error.name === "ExitPromptError" && error.message.includes("SIGINT")) return cancelError("interrupted");
  return PROMPT_ERRORS.includes(error.name) ? cancelError() : error;
}

const PROMPT_ERRORS = ["ExitPromptError", "AbortPromptError", "CancelPromptError"];

const UNSENT = ["nothing was sent"];
