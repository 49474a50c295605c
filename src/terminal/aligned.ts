import { columnWidth, padded } from "./text/padded.ts";

const GAP = "  ";

/** Rows as lines, their columns under each other. The texts are escaped already, so that they are as wide as they look. */
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
