import { visibleLines } from "./escape.ts";
import type { MessageRole } from "./message.ts";
import type { Output } from "./streams.ts";

/** Prints results. */
export interface Printer {
  stdout: Output;
  /** Whether tables and blocks are colored: `colorEnabled` for stdout. */
  color: boolean;
  /** The time that ages refer to, in milliseconds since 1970. */
  now?: number;
  /** The signs before rows that the terminal can show; none for a screen reader. */
  signs?: "unicode" | "ascii" | "none";
  /** Prints a line for the user to stderr; silent with `--quiet`. */
  note(line: string, role?: MessageRole): Promise<void>;
  /** Whether notes are silent. */
  isQuiet?: boolean;
  /** Called before very many items pass through without being kept. */
  manyPass?(): void;
}

/** Returns the width that a table must fit. In a pipe it does not depend on the terminal. */
export function tableWidth({ stdout }: Printer): number {
  return stdout.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
}

/** Writes a response body: to a pipe unchanged, to a terminal escaped and with a line ending. */
export async function printRaw(body: Uint8Array, { stdout }: Printer): Promise<void> {
  if (!stdout.isTerminal) return stdout.write(body);
  const text = visibleLines(new TextDecoder().decode(body));
  await stdout.write(text === "" || text.endsWith("\n") ? text : `${text}\n`);
}
