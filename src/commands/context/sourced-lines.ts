import { columnWidth, padded } from "../../terminal/text/padded.ts";
import type { BlockLine } from "../../terminal/view.ts";

/** A setting for display. */
export interface SourcedRow {
  label: string;
  text: string;
  /** The source; empty if it is obvious. */
  from: string;
}

/** Returns the rows of a block, with the sources in a separate column. */
export function sourcedLines(rows: readonly SourcedRow[]): BlockLine[] {
  const width = columnWidth(rows.filter(({ from }) => from).map(({ text }) => text));
  return rows.map(({ label, text, from }) => ({
    label,
    value: { text: from ? `${padded(text, width)}   ${from}` : text },
  }));
}
