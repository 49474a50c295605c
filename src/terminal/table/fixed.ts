import type { Style } from "../style.ts";
import type { Tone } from "../view.ts";
import { textWidth } from "../width.ts";
import { GAP } from "./fit.ts";
import { type Grid, type GridColumn, type PackedRow, TONE, TONES, WIDTH } from "./grid-column.ts";

/** A piece with this many bytes gets no more rows. */
const LARGE_PIECE = 65_536;
/** The most bytes of a cell's color, and of an icon with its color. */
const MOST_AROUND = 16;
const LONG = 64;
const [SPACE, LINE_END, BEYOND_ASCII] = [0x20, 0x0a, 0x80];
const BETWEEN = " ".repeat(GAP);
export const NO_SIGN = "  ";

/** Yields a table in pieces, at measured widths. Wider cells overflow. The next request overwrites a piece's bytes. */
export function* fixedTable({ columns, rows, signs }: Grid, style: Style, headers: boolean): Generator<Uint8Array> {
  if (headers) yield Buffer.from((signs ? NO_SIGN : "") + headerLine(columns, style));
  const most = columns.reduce((sum, { width }) => sum + GAP + width + MOST_AROUND, rows.longest + MOST_AROUND);
  const drawing = {
    columns,
    paints: TONES.map((tone) => paintsFor(tone, style)),
    signs: signs?.map((sign) => `${style.cell(sign)} `),
    // Spaces are never written: they remain from this.
    piece: Buffer.alloc(LARGE_PIECE + most, SPACE),
  };
  for (let drawn = { next: 0, length: 0 }; drawn.next < rows.count; ) {
    drawing.piece.fill(SPACE, 0, drawn.length);
    drawn = drawRows(rows, drawn.next, drawing);
    yield drawing.piece.subarray(0, drawn.length);
  }
}

function drawRows(rows: Grid["rows"], first: number, drawing: Drawing): { next: number; length: number } {
  const { signs, piece } = drawing;
  let length = 0;
  let next = first;
  for (; next < rows.count && length < LARGE_PIECE; next++) {
    const sign = signs?.[next];
    if (sign !== undefined) length += piece.write(sign, length);
    length = drawRow(rows.row(next), drawing, length);
  }
  return { next, length };
}

function headerLine(columns: readonly GridColumn[], style: Style): string {
  const cells = columns.map(({ header, width, right }) => {
    const text = header.toUpperCase();
    const spaces = " ".repeat(Math.max(0, width - textWidth(text)));
    return right ? spaces + style.faint(text) : style.faint(text) + spaces;
  });
  return `${cells.join(BETWEEN).trimEnd()}\n`;
}

interface Drawing {
  columns: readonly GridColumn[];
  paints: readonly (readonly [before: Uint8Array, after: Uint8Array])[];
  /** The sign before each row, with a space. */
  signs: readonly string[] | undefined;
  piece: Buffer;
}

function drawRow(row: PackedRow, { columns, paints, piece }: Drawing, start: number): number {
  const { bytes, numbers } = row;
  let { head, text } = row;
  let to = start;
  let next = -1;
  for (let place = 0; place < columns.length; place++) {
    const { index, width, right } = columns[place] as GridColumn;
    for (; next < index; next++) {
      text += numbers[head] as number;
      head += 2;
    }
    const end = text + (numbers[head] as number);
    const look = numbers[head + 1] as number;
    const space = Math.max(0, width - (look >> WIDTH));
    if (place > 0) to += GAP;
    if (right) to += space;
    const paint = (look & TONE) === 0 ? undefined : paints[look & TONE];
    if (paint) to = copyBytes(paint[0], 0, paint[0].length, piece, to);
    to = copyBytes(bytes, text, end, piece, to);
    if (paint) to = copyBytes(paint[1], 0, paint[1].length, piece, to);
    if (!right) to += space;
  }
  return endLine(piece, start, to);
}

function endLine(piece: Buffer, start: number, end: number): number {
  let to = end;
  while (to > start && piece[to - 1] === SPACE) to--;
  if (to > start && (piece[to - 1] as number) >= BEYOND_ASCII) {
    // Unicode has other spaces.
    const trimmed = start + Buffer.byteLength(piece.toString("utf8", start, to).trimEnd());
    piece.fill(SPACE, trimmed, to);
    to = trimmed;
  }
  piece[to] = LINE_END;
  return to + 1;
}

function copyBytes(from: Uint8Array, start: number, end: number, piece: Buffer, to: number): number {
  if (end - start > LONG) piece.set(from.subarray(start, end), to);
  else for (let at = start; at < end; at++) piece[to + at - start] = from[at] as number;
  return to + end - start;
}

function paintsFor(tone: Tone | undefined, style: Style): [Uint8Array, Uint8Array] {
  const [before = "", after = ""] = style.cell({ text: " ", tone }).split(" ");
  return [Buffer.from(before), Buffer.from(after)];
}
