import { columnWidth, padded } from "./text/padded.ts";

const GAP = "  ";

/**
 * Returns rows as lines with aligned columns. The texts must be escaped already, so that each has its visible width.
 */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const widths = Array.from({ length: count }, (_, column) => columnWidth(rows.map((row) => row[column] ?? "")));
  return rows.map((row) =>
    row
      .map((text, column) => (column === row.length - 1 ? text : padded(text, widths[column] ?? 0)))
      .join(GAP)
      .trimEnd(),
  );
}
