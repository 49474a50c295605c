import { textWidth } from "./width.ts";

const GAP = "  ";

/** Rows as lines, their columns under each other. The texts are escaped already, so that they are as wide as they look. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => textWidth(row[column] ?? "")));
  return rows.map((row) =>
    row
      .map((text, column) => text + " ".repeat(widthOf(column) - textWidth(text)))
      .join(GAP)
      .trimEnd(),
  );
}
