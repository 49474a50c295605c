import type { Cell, Tone } from "../view.ts";

export const TONES: readonly (Tone | undefined)[] = [undefined, "good", "warn", "bad", "faint"];
/** The bits of a tone in a cell's look, below its width. */
export const WIDTH = 3;
export const TONE = 7;
/** The bytes before the texts of a row, for each cell: the length of its text in bytes, then its look. */
export const HEAD = 8;
const BEYOND_ASCII = 0x80;

/** Escaped, with its width in columns: at most `WIDEST`. */
export interface MeasuredCell extends Cell {
  width: number;
}

/** Escaped, with its width in columns: at most `WIDEST`. */
export type ShownCell = Pick<MeasuredCell, "text" | "width">;

/** A copy of a cell: its text in UTF-8, its look, and the length of its text in UTF-16. */
export interface CellCopy {
  text: Uint8Array;
  look: number;
  units: number;
}

/** Memory for rows, as bytes and as numbers of four bytes. */
export type Chunk = ReturnType<typeof createPackedRows>;

/** A row in memory: the heads of all cells, then their texts. The first cell is the ID, unescaped. */
export interface PackedRow extends Chunk {
  head: number;
  /** The position of its first text. */
  text: number;
}

export function createPackedRows(size: number) {
  const memory = new ArrayBuffer(Math.ceil(size / HEAD) * HEAD);
  return { bytes: Buffer.from(memory), numbers: new Int32Array(memory) };
}

export function unpackRow({ bytes, numbers, head, text }: PackedRow, cells: number): MeasuredCell[] {
  let at = text;
  return Array.from({ length: cells }, (_, cell) => {
    const [length = 0, look = 0] = numbers.subarray(head + 2 * cell);
    at += length;
    return {
      text: bytes.toString("utf8", at - length, at),
      width: look >> WIDTH,
      tone: TONES[look & TONE],
    };
  });
}

/** Compares the IDs of two rows byte by byte, and is not sure beyond ASCII, which UTF-16 may order differently. */
export function isPackedRowBefore(one: PackedRow, other: PackedRow): boolean {
  const oneLength = one.numbers[one.head] as number;
  const otherLength = other.numbers[other.head] as number;
  const length = Math.min(oneLength, otherLength);
  for (let index = 0; index < length; index++) {
    const left = one.bytes[one.text + index] as number;
    const right = other.bytes[other.text + index] as number;
    if (left !== right) return left < right && right < BEYOND_ASCII;
  }
  return oneLength <= otherLength;
}
