import type { RelayctlError } from "../errors.ts";

/** A line of a receipt: a pipe gets the text, and a terminal an outcome in cells. */
export type ReceiptLine = string | { text: string; cells: readonly string[] };

export interface Ending {
  notes?: readonly string[];
  /** The result is of a write that took effect: these lines are printed even if it cannot be drawn. */
  receipt?: readonly ReceiptLine[];
  receipts?: readonly (readonly ReceiptLine[])[];
  /** The commands that undo or follow the write: the last lines, ready to be typed next. */
  next?: readonly string[];
  /** Set for the view of a change: a terminal prints its receipt alone, unless an output is requested. */
  isChange?: true;
  /** Reads what the write led to, and returns lines that are printed after all others. Never fails. */
  outlook?: () => Promise<readonly string[]>;
  /** The command completed but fails: a check did not pass, or some of many targets failed. */
  failure?: RelayctlError;
}
