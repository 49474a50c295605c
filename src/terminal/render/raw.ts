import { visibleLines } from "../escape.ts";
import type { Printer } from "../printer.ts";

/** Writes a response body: to a pipe unchanged, to a terminal escaped and with a line ending. */
export async function printRaw(body: Uint8Array, { stdout }: Printer): Promise<void> {
  if (!stdout.isTerminal) return stdout.write(body);
  const text = visibleLines(new TextDecoder().decode(body));
  await stdout.write(text === "" || text.endsWith("\n") ? text : `${text}\n`);
}
