import { visibleLines } from "../escape.ts";
import type { Printer } from "../printer.ts";

/** Writes a reply's body: to a pipe every byte as it came, to a terminal escaped and with a line end. */
export async function printRaw(body: Uint8Array, { stdout }: Printer): Promise<void> {
  if (!stdout.isTerminal) return stdout.write(body);
  const text = visibleLines(new TextDecoder().decode(body));
  await stdout.write(text === "" || text.endsWith("\n") ? text : `${text}\n`);
}
