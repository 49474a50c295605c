import type { Readable, Writable } from "node:stream";
import { CANCELED, RelayctlError } from "../../errors.ts";
import type { JobControl } from "../streams.ts";

interface Asking {
  input: Readable & { isRaw?: boolean; setRawMode?(isRaw: boolean): unknown };
  output: Writable;
  jobs?: JobControl;
}

const CURSOR_SHOWN = "\u001b[?25h";
/** Matches how a picture of a question begins if it replaces another. */
const OVER_ANOTHER = /^(?:\u001b\[\d+B)?(?:\u001b\[2K\u001b\[1A)*\u001b\[2K\u001b\[G/;
const MOVE = /^\u001b\[\d+G$/;
const LINES_BELOW = /\u001b\[(\d+)A(?:\u001b\[\d+G)+$/;

/**
 * Lets Ctrl-Z stop the process at a question, and draws the question again when it continues. readline would do so too,
 * but pauses its input for good.
 * @returns a function that ends this
 */
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

export interface PromptStreams {
  input: Readable;
  output: Writable;
  /** Aborted by a signal from outside; if its reason is one of our errors, the prompt rejects with it. */
  interrupt?: AbortSignal;
  jobs?: JobControl;
}

export interface PromptContext {
  input: Readable;
  output: Writable;
  signal: AbortSignal;
}

/**
 * Runs a prompt and returns the input, or rejects with the reason: Ctrl-C is `interrupted`, and everything else, e.g.
 * Ctrl-D or a closed terminal, is `declined`. The library itself would wait forever after Ctrl-D.
 */
export async function settled<T>(streams: PromptStreams, ask: (context: PromptContext) => Promise<T>): Promise<T> {
  const { input, output, interrupt } = streams;
  const closed = new AbortController();
  const close = () => closed.abort();
  for (const event of ENDS) input.once(event, close);
  const endStops = makeStoppable(streams);
  const signal = interrupt ? AbortSignal.any([closed.signal, interrupt]) : closed.signal;
  try {
    return await ask({ input, output, signal });
  } catch (error) {
    throw buildReason(error, interrupt);
  } finally {
    endStops();
    for (const event of ENDS) input.off(event, close);
  }
}

const ENDS = ["pause", "end", "close", "error"] as const;

function buildReason(error: unknown, interrupt: AbortSignal | undefined): unknown {
  if (interrupt?.aborted) {
    return interrupt.reason instanceof RelayctlError ? interrupt.reason.with({ because: UNSENT }) : stopped();
  }
  if (!(error instanceof Error)) return error;
  if (error.name === "ExitPromptError" && error.message.includes("SIGINT")) return stopped();
  return PROMPT_ERRORS.includes(error.name) ? promptAborted() : error;
}

const PROMPT_ERRORS = ["ExitPromptError", "AbortPromptError", "CancelPromptError"];

const UNSENT = ["nothing was sent"];

export function stopped(): RelayctlError {
  return new RelayctlError("interrupted", CANCELED);
}

export function promptAborted(): RelayctlError {
  return new RelayctlError("declined", CANCELED);
}
