import { compareTexts } from "../select/compare.ts";
import type { Tone } from "../view.ts";
import { WIDEST } from "../width.ts";
import {
  afterCell,
  type CellCopy,
  cellAt,
  HEAD,
  isCertainlyBefore,
  type MeasuredCell,
  type Place,
  type Shown,
  TONES,
  writeHead,
} from "./packed-cell.ts";

const CHUNK = 2 ** 18;
const [SPACE, BACKSLASH, TILDE, BEYOND_ASCII] = [0x20, 0x5c, 0x7e, 0x80];

/**
 * The rows of a table as bytes in a few large chunks, so that nothing else is kept, not even the response that they came
 * from. Each has the ID of its item, unescaped, before its cells.
 */
export class Rows {
  /** The UTF-16 units of all rows, with separators. */
  characters = 0;
  /** The memory in use. */
  bytes = 0;
  /** Whether the IDs certainly ascend. */
  isOrdered = true;
  private readonly cells: number;
  /** For each row the number of its chunk times `CHUNK`, and its start there. */
  private readonly places: number[] = [];
  private readonly chunks: Buffer[] = [];
  private chunk = Buffer.alloc(0);
  /** Where the row that is added, its last cell, and its next cell start. */
  private start = 0;
  private last = 0;
  private at = 0;
  private lastUnits = 0;

  /** @param columns the number of cells in a row */
  constructor(columns: number) {
    this.cells = 1 + columns;
  }

  get count(): number {
    return this.places.length;
  }

  /** Adds a cell with an escaped text. @param width the columns of a terminal that it takes, at most `WIDEST` */
  add(text: string, width: number, tone?: Tone): void {
    this.makeRoom(3 * text.length);
    const { chunk, at } = this;
    let to = at + HEAD;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= BEYOND_ASCII) {
        to = at + HEAD + chunk.write(text, at + HEAD);
        break;
      }
      chunk[to++] = unit;
    }
    this.endCell(width, tone === undefined ? 0 : TONES.indexOf(tone), to - at - HEAD, text.length);
  }

  /** Adds a cell with the bytes of a text in JSON, if they are the text. Returns whether they are: printable ASCII. */
  addAscii(bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    this.makeRoom(length);
    const { chunk } = this;
    let to = this.at + HEAD;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte < SPACE || byte > TILDE || byte === BACKSLASH) return false;
      chunk[to++] = byte;
    }
    this.endCell(length < WIDEST ? length : WIDEST, 0, length, length);
    return true;
  }

  /** Returns a copy of the last cell. */
  lastCell(): CellCopy {
    const { chunk, last, at, lastUnits: units } = this;
    const bytes = new Uint8Array(at - last);
    for (let index = 0; index < bytes.length; index++) bytes[index] = chunk[last + index] as number;
    return { bytes, units };
  }

  addCopy({ bytes, units }: CellCopy): void {
    this.makeRoom(bytes.length);
    const { chunk, at } = this;
    for (let index = 0; index < bytes.length; index++) chunk[at + index] = bytes[index] as number;
    this.at = at + bytes.length;
    this.characters += units + 2;
  }

  endRow(): void {
    const { count, chunk, start } = this;
    this.isOrdered &&= count === 0 || isCertainlyBefore(this.row(count - 1), { bytes: chunk, at: start });
    this.places.push(this.finished());
    this.characters--;
  }

  private makeRoom(length: number): void {
    if (this.at + HEAD + length <= this.chunk.length && this.start < CHUNK) return;
    const row = this.chunk.subarray(this.start, this.at);
    const chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK, 2 * row.length + HEAD + length));
    row.copy(chunk);
    if (this.start === 0) this.chunks.pop();
    this.chunks.push(chunk);
    [this.chunk, this.start, this.at] = [chunk, 0, row.length];
  }

  private endCell(width: number, tone: number, length: number, units: number): void {
    writeHead(this.chunk, this.at, width, tone, length);
    this.last = this.at;
    this.lastUnits = units;
    this.at += HEAD + length;
    this.characters += units + 2;
  }

  /** Ends the row that is added, and returns its place. */
  private finished(): number {
    const place = (this.chunks.length - 1) * CHUNK + this.start;
    this.bytes += this.at - this.start;
    this.start = this.at;
    return place;
  }

  /** Replaces texts of a column, in the first rows. */
  replace(column: number, others: ReadonlyMap<string, Shown>, rows: number): void {
    for (let index = 0; index < rows; index++) {
      const cells = this.allCells(index);
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
    const keyed = this.places.map((place, index) => ({ place, id: cellAt(this.row(index)).text }));
    keyed.sort((left, right) => compareTexts(left.id, right.id));
    for (const [index, { place }] of keyed.entries()) this.places[index] = place;
  }

  /** Returns the position of a row, which starts with the ID. */
  row(index: number): Place {
    const place = this.places[index] as number;
    return { bytes: this.chunks[Math.floor(place / CHUNK)] as Buffer, at: place % CHUNK };
  }

  /** Returns the position after a row. */
  endOf({ bytes, at }: Place): number {
    let end = at;
    for (let cell = 0; cell < this.cells; cell++) end = afterCell(bytes, end);
    return end;
  }

  cellsOf(index: number): MeasuredCell[] {
    return this.allCells(index).slice(1);
  }

  private allCells(index: number): MeasuredCell[] {
    const { bytes, at: start } = this.row(index);
    let at = start;
    return Array.from({ length: this.cells }, () => {
      const cell = cellAt({ bytes, at });
      at = afterCell(bytes, at);
      return cell;
    });
  }
}
