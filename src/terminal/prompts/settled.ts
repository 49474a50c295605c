import type { Readable, Writable } from "node:stream";
import { CANCELED, RelayctlError } from "../../errors.ts";
import type { JobControl } from "../streams.ts";
import { makeStoppable } from "./stoppable.ts";

/** The streams for prompts. */
export interface PromptStreams {
  /** stdin */
  input: Readable;
  /** stderr */
  output: Writable;
  /** Aborted by a signal from outside; if its reason is one of our errors, the prompt rejects with it. */
  interrupt?: AbortSignal;
  /** Stops the process at Ctrl-Z. */
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
    throw reasonOf(error, interrupt);
  } finally {
    endStops();
    for (const event of ENDS) input.off(event, close);
  }
}

/** readline pauses its input when Ctrl-D closes it. */
const ENDS = ["pause", "end", "close", "error"] as const;

function reasonOf(error: unknown, interrupt: AbortSignal | undefined): unknown {
  if (interrupt?.aborted) {
    return interrupt.reason instanceof RelayctlError ? interrupt.reason.with({ because: UNSENT }) : stopped();
  }
  if (!(error instanceof Error)) return error;
  if (error.name === "ExitPromptError" && error.message.includes("SIGINT")) return stopped();
  return PROMPT_ERRORS.includes(error.name) ? promptAborted() : error;
}

const PROMPT_ERRORS = ["ExitPromptError", "AbortPromptError", "CancelPromptError"];

/** Every prompt comes before the request that it is about. */
const UNSENT = ["nothing was sent"];

/** Returns the error for Ctrl-C. */
export function stopped(): RelayctlError {
  return new RelayctlError("interrupted", CANCELED);
}

/** Returns the error for Ctrl-D or a closed terminal. */
export function promptAborted(): RelayctlError {
  return new RelayctlError("declined", CANCELED);
}
