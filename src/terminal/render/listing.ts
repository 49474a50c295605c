import type { OutputFormat, OutputOptions } from "../output-options.ts";
import type { Printer } from "../printer.ts";
import type { Selection } from "../select/selection.ts";
import type { ListView } from "../view.ts";
import type { Tally } from "./reading.ts";
import type { RowFormat } from "./row-format.ts";

/** The state of one list between its pages and the screen. */
export interface Listing {
  view: ListView;
  options: OutputOptions;
  format: OutputFormat;
  selection: Selection;
  /** The rows, for a format with rows. */
  rows: RowFormat | undefined;
  tally: Tally;
  out: Printer;
  /** Called once everything was read, before it is drawn. */
  beforeDrawing(): Promise<void>;
}
