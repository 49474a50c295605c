import { markMasked } from "../../src/contract/secret-fields.ts";
import type { Printer } from "../../src/terminal/printer.ts";
import { createOutput } from "../../src/terminal/streams/output.ts";

export interface Recording {
  out: Printer;
  /** Everything written so far. */
  stdout(): string;
  bytes(): Uint8Array;
  writes(): number;
  notes: string[];
}

/** A printer whose stdout is remembered: a pipe, or a terminal of the given width. */
export function recordingPrinter(columns?: number, color = false): Recording {
  const chunks: Uint8Array[] = [];
  const notes: string[] = [];
  const stream = {
    columns: columns ?? 0,
    write: (chunk: string | Uint8Array, done: () => void) => {
      chunks.push(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk.slice());
      done();
    },
    on: () => undefined,
  };
  const stdout = createOutput(
    "stdout",
    { isTerminal: columns !== undefined, open: () => stream },
    { redact: markMasked, mayOccurIn: () => false },
  );
  const note = async (line: string) => void notes.push(line);
  const bytes = () => Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
  return {
    out: { stdout, color, note },
    stdout: () => new TextDecoder().decode(bytes()),
    bytes,
    writes: () => chunks.length,
    notes,
  };
}
