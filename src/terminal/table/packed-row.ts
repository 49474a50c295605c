import type { Cell, Tone } from "../view.ts";

/** The cells of a row in one text, so that nothing else is kept, not even the response that they came from. */
export type PackedRow = string;

/** Separates cells; it is escaped inside them. */
const END = "\n";
const TONES: readonly (Tone | undefined)[] = [undefined, "good", "warn", "bad", "faint"];
const LETTERS = new Map(TONES.map((tone, index) => [tone, String(index)]));

/**
 * @param texts escaped, each on one line
 * @param id unescaped
 */
export function packRow(texts: readonly string[], tones: readonly (Tone | undefined)[], id: string): PackedRow {
  let letters = "";
  for (const tone of tones) letters += LETTERS.get(tone);
  return [letters, ...texts, id].join(END);
}

/** Returns the cells, possibly followed by unused ones. */
export function cellsOf(row: PackedRow): Cell[] {
  const [letters = "", ...texts] = row.split(END);
  return texts.map((text, index) => ({ text, tone: TONES[letters.charCodeAt(index) - 0x30] }));
}

/** Returns the row with the text of one cell replaced, if there is a replacement for it. */
export function withCell(row: PackedRow, index: number, others: ReadonlyMap<string, string>): PackedRow {
  const parts = row.split(END);
  const other = others.get(parts[index + 1] ?? "");
  if (other === undefined) return row;
  parts[index + 1] = other;
  return parts.join(END);
}

/** @param cells the number of cells in the row */
export function idOf(row: PackedRow, cells: number): string {
  let start = 0;
  for (let passed = 0; passed <= cells; passed++) start = row.indexOf(END, start) + 1;
  return row.slice(start);
}
