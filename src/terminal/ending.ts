import type { RelayctlError } from "../errors.ts";

/** The text after a result. */
export interface Ending {
  /** Notes about the result, but nothing that was applied. */
  notes?: readonly string[];
  /** The result is of a write that took effect: these lines are printed even if it cannot be drawn. */
  receipt?: readonly string[];
  /** The receipts of further contexts. */
  receipts?: readonly (readonly string[])[];
  /** The commands that undo or follow the write: the last lines, ready to be typed next. */
  next?: readonly string[];
  /** Reads what the write led to, and returns lines that are printed after all others. Never fails. */
  outlook?: () => Promise<readonly string[]>;
  /** The command completed but fails: a check did not pass, or some of many targets failed. */
  failure?: RelayctlError;
}
