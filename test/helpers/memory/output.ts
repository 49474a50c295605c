import type { JobControl, Output } from "../../../src/terminal/streams/output.ts";

/** A stream that keeps what is written. `redact` is what the real one does to every text. */
export interface MemoryOutput extends Output {
  text(): string;
  bytes(): Buffer;
  /** Resizes the terminal and notifies its listeners. */
  resize(columns: number, rows: number): void;
}

export function memoryOutput(options: {
  terminal?: boolean;
  columns?: number;
  rows?: number;
  jobs?: JobControl | undefined;
  redact: (text: string) => string;
}): MemoryOutput {
  const chunks: Buffer[] = [];
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let [text, decoded] = ["", 0];
  const listeners: (() => void)[] = [];
  let { columns = 80, rows = 24 } = options;
  const keep = async (chunk: string | Uint8Array) => void chunks.push(Buffer.from(chunk as Uint8Array));
  return {
    isTerminal: options.terminal ?? false,
    get columns() {
      return columns;
    },
    get rows() {
      return rows;
    },
    onResize: (listener, until) => void listeners.push(() => until.aborted || listener()),
    onStop(leave, resume, until) {
      const remove = options.jobs?.add({ leave: () => void keep(leave()), resume });
      if (remove) until.addEventListener("abort", remove);
    },
    resize: (...size) => {
      [columns, rows] = size;
      for (const listener of listeners) listener();
    },
    write: (chunk) => keep(redacted(chunk, options.redact)),
    reveal: keep,
    // A long session is read again and again.
    text() {
      for (; decoded < chunks.length; decoded++) text += decoder.decode(chunks[decoded], { stream: true });
      return text;
    },
    bytes: () => Buffer.concat(chunks),
  };
}

/** As `createOutput` does it: bytes without a secret in them stay as they are. */
function redacted(chunk: string | Uint8Array, redact: (text: string) => string): string | Uint8Array {
  if (typeof chunk === "string") return redact(chunk);
  const text = new TextDecoder().decode(chunk);
  const safe = redact(text);
  return safe === text ? chunk : safe;
}
