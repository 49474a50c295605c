import type { Output } from "./streams.ts";

/** Where a result goes. */
export interface Printer {
  stdout: Output;
  /** Whether tables and blocks are coloured: `colorEnabled`, asked for stdout. */
  color: boolean;
  /** Says a line to a person on stderr; silent with `--quiet`. */
  note(line: string): Promise<void>;
  /** Told when very many items are about to pass through, none of which is held. */
  manyPass?(): void;
}

/** The width that a table has to fit into. To a pipe it is the same table whatever the terminal is. */
export function tableWidth({ stdout }: Printer): number {
  return stdout.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
}
