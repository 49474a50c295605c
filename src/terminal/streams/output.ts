import type { Secrets } from "../../contract/secret-fields.ts";
import { RelayctlError } from "../../errors.ts";

/** The reader of the output is gone, as with `| head`: not an error. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";

  constructor() {
    super("the reader closed the output");
  }
}

/** Continues without a reader: for output of a command whose result is its exit code. */
export function ignoreUnreadOutput(error: unknown): void {
  if (!(error instanceof ClosedPipe)) throw error;
}

type Redacting = Pick<Secrets, "redact" | "mayOccurIn">;

/** Opened on first use, which takes a tenth of Node's startup time. */
export interface StreamSource {
  isTerminal: boolean;
  open(): WritableText;
  /** Absent if nothing stops the process. */
  jobs?: JobControl;
}

/** The required part of a Node stream: `process.stdout` or a fake. */
export interface WritableText {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(chunk: string | Uint8Array, done: (error?: Error | null) => void): unknown;
  on(event: "error" | "resize", listener: (error: Error) => void): unknown;
}

export const [USUAL_COLUMNS, USUAL_ROWS] = [80, 24];
const PIPE_CODES = ["EPIPE", "EOF", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"];

/** A write resolves once the stream has accepted it; after a failure, each fails. @param name e.g. `stdout` */
export function createOutput(name: string, { isTerminal, open, jobs }: StreamSource, secrets: Redacting): Output {
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= createFailure(name, error);
    return failure;
  };
  const resized = new Set<() => void>();
  let opened: WritableText | undefined;
  const stream = () => {
    if (opened) return opened;
    opened = open();
    // Node also emits the failure of a write as an event, which would end the process without a listener.
    opened.on("error", fail);
    opened.on("resize", () => {
      for (const listener of resized) listener();
    });
    return opened;
  };
  const send = (chunk: string | Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      if (failure) reject(failure);
      else stream().write(chunk, (error) => (error ? reject(fail(error)) : resolve()));
    });
  return {
    isTerminal,
    get columns() {
      return (isTerminal && stream().columns) || USUAL_COLUMNS;
    },
    get rows() {
      return (isTerminal && stream().rows) || USUAL_ROWS;
    },
    onResize(listener, until) {
      stream();
      resized.add(listener);
      until.addEventListener("abort", () => resized.delete(listener));
    },
    onStop(leave, resume, until) {
      const remove = jobs?.add({ leave: () => void stream().write(leave(), () => {}), resume });
      if (remove) until.addEventListener("abort", remove);
    },
    write: async (text) => {
      if (text.length > 0) await send(redactChunk(text, secrets));
    },
    reveal: send,
  };
}

function redactChunk(chunk: string | Uint8Array, secrets: Redacting): string | Uint8Array {
  if (typeof chunk === "string") return secrets.redact(chunk);
  if (!secrets.mayOccurIn(chunk)) return chunk;
  const text = new TextDecoder().decode(chunk);
  const safe = secrets.redact(text);
  return safe === text ? chunk : safe;
}

function createFailure(name: string, error: Error): Error {
  const code = "code" in error ? String(error.code) : "an unknown fault";
  if (PIPE_CODES.includes(code)) return new ClosedPipe();
  return new RelayctlError("io", `${name} could not be written: ${code}`, { cause: error });
}

export interface Input {
  readonly isTerminal: boolean;
  /** Reads to the end, at most `maxBytes`; rejects longer input. */
  read(maxBytes: number): Promise<Uint8Array>;
}

export interface StreamedInput extends Input {
  chunks(): AsyncIterable<Uint8Array>;
}

export interface Output {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  onResize(listener: () => void, until: AbortSignal): void;
  /** Writes a text when Ctrl-Z stops the process, and calls the listener after. @param leave returns the text */
  onStop(leave: () => string, resume: () => void, until: AbortSignal): void;
  /** Resolves when the text was accepted, without known secrets. Rejects with an `io` error or a `ClosedPipe`. */
  write(text: string | Uint8Array): Promise<void>;
  /** Writes a secret that the user requested: only `auth token` and `serve` use it. */
  reveal(text: string): Promise<void>;
}

export interface Stoppable {
  /** Leaves the terminal as a shell needs it. Must be synchronous: the process stops right after it. */
  leave(): void;
  resume(): void;
}

/** Stops this process and continues it, as a shell with job control does. */
export interface JobControl {
  /** Stops the process with its group, like Ctrl-Z outside of raw mode. */
  stop(): void;
  /** Registers a part. @returns a function that removes it */
  add(part: Stoppable): () => void;
}
