import type { OutputFormat, OutputOptions } from "../output-options.ts";
import type { Printer } from "../printer.ts";
import type { Selection } from "../select/selection.ts";
import type { ListView } from "../view.ts";
import type { Tally } from "./reading.ts";
import type { RowFormat } from "./row-format.ts";

/** Everything that one list needs on its way from the pages to the screen. */
export interface Listing {
  view: ListView;
  options: OutputOptions;
  format: OutputFormat;
  selection: Selection;
  /** The rows of a format that has them. */
  rows: RowFormat | undefined;
  tally: Tally;
  out: Printer;
  /** Called once everything was read, before it is drawn. */
  beforeDrawing(): Promise<void>;
}
