import type { Cell, Tone } from "../view.ts";

/** The tones of cells, by their numbers. */
export const TONES: readonly (Tone | undefined)[] = [undefined, "good", "warn", "bad", "faint"];
/** The bytes before the text of a cell: its width, its tone, and its length in four bytes. */
export const HEAD = 6;
const BEYOND_ASCII = 0x80;

/** A cell whose text is escaped, and how many columns of a terminal it takes: at most `WIDEST`. */
export interface MeasuredCell extends Cell {
  width: number;
}

/** The escaped text of a cell, and the columns of a terminal that it takes: at most `WIDEST`. */
export type Shown = Pick<MeasuredCell, "text" | "width">;

/** A copy of a cell in bytes, and the length of its text in UTF-16. */
export interface CellCopy {
  bytes: Uint8Array;
  units: number;
}

/** The position of a row, or of one cell. */
export interface Place {
  bytes: Buffer;
  at: number;
}

/** Writes the bytes before the text of a cell. */
export function writeHead(bytes: Uint8Array, at: number, width: number, tone: number, length: number): void {
  bytes[at] = width;
  bytes[at + 1] = tone;
  bytes[at + 2] = length;
  bytes[at + 3] = length >> 8;
  bytes[at + 4] = length >> 16;
  bytes[at + 5] = length >> 24;
}

function lengthAt(bytes: Uint8Array, at: number): number {
  const three = (bytes[at + 2] as number) | ((bytes[at + 3] as number) << 8) | ((bytes[at + 4] as number) << 16);
  return three | ((bytes[at + 5] as number) << 24);
}

/** Returns the position after the cell at a position. */
export function afterCell(bytes: Uint8Array, at: number): number {
  return at + HEAD + lengthAt(bytes, at);
}

export function cellAt({ bytes, at }: Place): MeasuredCell {
  const text = bytes.toString("utf8", at + HEAD, afterCell(bytes, at));
  return { text, width: bytes[at] as number, tone: TONES[bytes[at + 1] as number] };
}

/** Compares two IDs byte by byte, and is not sure beyond ASCII, which UTF-16 may order differently. */
export function isCertainlyBefore(one: Place, other: Place): boolean {
  const oneLength = lengthAt(one.bytes, one.at);
  const otherLength = lengthAt(other.bytes, other.at);
  const end = HEAD + Math.min(oneLength, otherLength);
  for (let index = HEAD; index < end; index++) {
    const left = one.bytes[one.at + index] as number;
    const right = other.bytes[other.at + index] as number;
    if (left !== right) return left < right && right < BEYOND_ASCII;
  }
  return oneLength <= otherLength;
}
