import { columnWidth, padded } from "../../terminal/text/padded.ts";
import type { BlockLine } from "../../terminal/view.ts";

/** One setting for a person. */
export interface SourcedRow {
  label: string;
  text: string;
  /** Where it came from; empty when that says nothing. */
  from: string;
}

/** The rows of a block, with what they came from in a column of its own. */
export function sourcedLines(rows: readonly SourcedRow[]): BlockLine[] {
  const width = columnWidth(rows.filter(({ from }) => from).map(({ text }) => text));
  return rows.map(({ label, text, from }) => ({
    label,
    value: { text: from ? `${padded(text, width)}   ${from}` : text },
  }));
}
