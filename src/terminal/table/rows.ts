import { compareTexts } from "../select/compare.ts";
import type { Tone } from "../view.ts";
import { WIDEST } from "../width.ts";
import {
  type CellCopy,
  type Chunk,
  createChunk,
  HEAD,
  isCertainlyBefore,
  type MeasuredCell,
  type PackedRow,
  type Shown,
  TONES,
  unpacked,
  WIDTH,
} from "./packed-row.ts";

/** The first chunk of memory, and the largest: each has twice the bytes of the one before it. */
const [FIRST, CHUNK] = [2 ** 11, 2 ** 18];
const [SPACE, BACKSLASH, TILDE, BEYOND_ASCII] = [0x20, 0x5c, 0x7e, 0x80];

/** The rows of a table as bytes in a few large chunks, so that not even their response is kept. */
export class Rows {
  /** The UTF-16 units of all rows, with separators. */
  characters = 0;
  bytes = 0;
  longest = 0;
  isOrdered = true;
  private readonly cells: number;
  /** For each row the number of its chunk times `CHUNK`, and its start there. */
  private readonly places: number[] = [];
  private readonly chunks: Chunk[] = [];
  private chunk = createChunk(0);
  private start = 0;
  private head = 0;
  private at: number;
  private lastUnits = 0;
  private previous: PackedRow | undefined;

  /** @param columns the number of cells in a row */
  constructor(columns: number) {
    this.cells = 1 + columns;
    this.at = HEAD * this.cells;
  }

  get count(): number {
    return this.places.length;
  }

  /** Adds a cell with an escaped text. @param width the columns of a terminal that it takes, at most `WIDEST` */
  add(text: string, width: number, tone?: Tone): void {
    this.makeRoom(3 * text.length);
    const { at } = this;
    const { bytes } = this.chunk;
    let to = at;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= BEYOND_ASCII) {
        to = at + bytes.write(text, at);
        break;
      }
      bytes[to++] = unit;
    }
    this.endCell(to - at, (width << WIDTH) | TONES.indexOf(tone), text.length);
  }

  /** Adds a cell with the bytes of a text in JSON, if they are the text. Returns whether they are: printable ASCII. */
  addAscii(from: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    this.makeRoom(length);
    const { bytes } = this.chunk;
    let to = this.at;
    for (let at = start; at < end; at++) {
      const byte = from[at] as number;
      if (byte < SPACE || byte > TILDE || byte === BACKSLASH) return false;
      bytes[to++] = byte;
    }
    this.endCell(length, (length < WIDEST ? length : WIDEST) << WIDTH, length);
    return true;
  }

  lastCell(): CellCopy {
    const { bytes, numbers } = this.chunk;
    const text = new Uint8Array(numbers[this.head - 2] as number);
    const start = this.at - text.length;
    for (let index = 0; index < text.length; index++) text[index] = bytes[start + index] as number;
    return { text, look: numbers[this.head - 1] as number, units: this.lastUnits };
  }

  addCopy({ text, look, units }: CellCopy): void {
    this.makeRoom(text.length);
    const { at } = this;
    const { bytes } = this.chunk;
    for (let index = 0; index < text.length; index++) bytes[at + index] = text[index] as number;
    this.endCell(text.length, look, units);
  }

  endRow(): void {
    this.places.push(this.finished());
    const row = this.row(this.count - 1);
    this.isOrdered &&= this.previous === undefined || isCertainlyBefore(this.previous, row);
    this.previous = row;
    this.characters--;
  }

  private makeRoom(length: number): void {
    if (this.at + length <= this.chunk.bytes.length && this.start < CHUNK) return;
    const size = this.at - this.start;
    const chunk = createChunk(Math.max(FIRST, Math.min(CHUNK, 2 * this.chunk.bytes.length), 2 * size + length));
    this.chunk.bytes.copy(chunk.bytes, 0, this.start, this.at);
    if (this.start === 0) this.chunks.pop();
    this.chunks.push(chunk);
    this.chunk = chunk;
    this.head -= this.start / 4;
    this.start = 0;
    this.at = size;
  }

  private endCell(length: number, look: number, units: number): void {
    const { head } = this;
    const { numbers } = this.chunk;
    numbers[head] = length;
    numbers[head + 1] = look;
    this.head = head + 2;
    this.at += length;
    this.characters += units + 2;
    this.lastUnits = units;
  }

  private finished(): number {
    const place = (this.chunks.length - 1) * CHUNK + this.start;
    const size = this.at - this.start;
    this.bytes += size;
    this.longest = Math.max(this.longest, size);
    this.start = Math.ceil(this.at / HEAD) * HEAD;
    this.head = this.start / 4;
    this.at = this.start + HEAD * this.cells;
    return place;
  }

  replace(column: number, others: ReadonlyMap<string, Shown>, rows: number): void {
    for (let index = 0; index < rows; index++) {
      const cells = unpacked(this.row(index), this.cells);
      const other = others.get(cells[1 + column]?.text ?? "");
      if (!other) continue;
      for (const [at, { tone, ...cell }] of cells.entries()) {
        const { text, width } = at === 1 + column ? other : cell;
        this.add(text, width, tone);
      }
      this.places[index] = this.finished();
    }
  }

  sortById(): void {
    const keyed = this.places.map((place, index) => ({ place, id: unpacked(this.row(index), 1)[0]?.text ?? "" }));
    keyed.sort((left, right) => compareTexts(left.id, right.id));
    for (const [index, { place }] of keyed.entries()) this.places[index] = place;
  }

  row(index: number): PackedRow {
    const place = this.places[index] as number;
    const { bytes, numbers } = this.chunks[Math.floor(place / CHUNK)] as Chunk;
    const start = place % CHUNK;
    return { bytes, numbers, head: start / 4, text: start + HEAD * this.cells };
  }

  cellsOf(index: number): MeasuredCell[] {
    return unpacked(this.row(index), this.cells).slice(1);
  }
}
