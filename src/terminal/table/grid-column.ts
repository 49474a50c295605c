import { type JsonObject, jsonNamesSetAside } from "../../contract/json.ts";
import { createEscaping, escapeCell, escapeText } from "../escape.ts";
import { compareTexts } from "../select/compare.ts";
import { flatPathValue, pathValueText } from "../select/path.ts";
import { cutText, isCutText } from "../text/cut.ts";
import { createGraphemeMeasure } from "../text/grapheme-width.ts";
import { createLettersWidth } from "../text/letters-width.ts";
import type { Cell, TableColumn, Tone } from "../view.ts";
import { isSingleWidth, textWidth, WIDEST, widthUpTo } from "../width.ts";

/** The first and the largest chunk of memory: each is twice as large as the previous one. */
const [FIRST, CHUNK] = [2 ** 11, 2 ** 18];
const [SPACE, BACKSLASH, TILDE, BEYOND_ASCII] = [0x20, 0x5c, 0x7e, 0x80];

/** The rows of a table as bytes in a few large chunks, so that not even their response is kept. */
export class GridRows {
  /** The UTF-16 units of all rows, with separators. */
  characters = 0;
  bytes = 0;
  longest = 0;
  isOrdered = true;
  private readonly cells: number;
  /** For each row the number of its chunk times `CHUNK`, and its start there. */
  private readonly places: number[] = [];
  private readonly chunks: Chunk[] = [];
  private chunk = createPackedRows(0);
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

  /** Adds an escaped cell. @param width in columns, at most `WIDEST` */
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
    this.isOrdered &&= this.previous === undefined || isPackedRowBefore(this.previous, row);
    this.previous = row;
    this.characters--;
  }

  private makeRoom(length: number): void {
    if (this.at + length <= this.chunk.bytes.length && this.start < CHUNK) return;
    const size = this.at - this.start;
    const chunk = createPackedRows(Math.max(FIRST, Math.min(CHUNK, 2 * this.chunk.bytes.length), 2 * size + length));
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

  replace(column: number, others: ReadonlyMap<string, ShownCell>, rows: number): void {
    for (let index = 0; index < rows; index++) {
      const cells = unpackRow(this.row(index), this.cells);
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
    const keyed = this.places.map((place, index) => ({ place, id: unpackRow(this.row(index), 1)[0]?.text ?? "" }));
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
    return unpackRow(this.row(index), this.cells).slice(1);
  }
}

/** Above this number of different texts they are not shared names. */
const MOST_TEXTS = 10_000;

/** Distinguishes items with the same name: `mainnet (evm)` and `mainnet (stellar)`. */
class Distinguisher {
  /** By shared text: its replacement in the rows before the first difference. */
  readonly late = new Map<string, string>();
  private readonly words = new Map<string, string>();

  /** @param word distinguishes this item from others with the same text */
  distinguished(text: string, word: string): string {
    const first = this.words.get(text);
    if (first === undefined && this.words.size < MOST_TEXTS) this.words.set(text, word);
    else if (first !== undefined && first !== word && !this.late.has(text)) this.late.set(text, withWord(text, first));
    return this.late.has(text) ? withWord(text, word) : text;
  }
}

function withWord(text: string, word: string): string {
  return word === "" ? text : `${text} (${word})`;
}

function createKnownColumns() {
  return { escaping: createEscaping(), measure: createGraphemeMeasure(), lettersWidth: createLettersWidth() };
}

const NOTHING = "–";

export class GridColumn {
  readonly header: string;
  readonly index: number;
  /** As in `TableColumn`; the first column is always worth it. */
  readonly worth: number | "always";
  readonly canBeCut: boolean;
  readonly right: boolean;
  /** Of its widest cell or its header; at most `WIDEST`. */
  width: number;
  longest = 0;
  isCut = false;
  isSingle = true;
  readonly reads: readonly string[];
  /** The field whose non-empty text its cells show unchanged. */
  readonly shows: string | undefined;
  private readonly most: number;
  private readonly column: TableColumn<JsonObject>;
  private readonly known: ReturnType<typeof createKnownColumns>;
  private readonly names = new Distinguisher();
  private lateRows = 0;
  /** The previous cell as given and as shown: most columns repeat the same text many times. */
  private given: string | undefined;
  private last: ShownCell | undefined;

  constructor(column: TableColumn<JsonObject>, index: number, known: ReturnType<typeof createKnownColumns>) {
    const { header, align, whole = false, most = WIDEST, worth = 0 } = column;
    this.header = escapeText(header);
    this.index = index;
    this.worth = index === 0 ? "always" : worth;
    this.right = align === "right";
    this.canBeCut = !whole && !this.right;
    this.width = textWidth(this.header);
    this.most = whole ? Number.POSITIVE_INFINITY : most;
    this.reads = column.reads ?? [];
    this.shows = column.apart ? undefined : column.shows;
    this.column = column;
    this.known = known;
  }

  /** Adds an item's cell to the last row: escaped on one line, and cut if too wide. */
  addTo(rows: GridRows, item: JsonObject): void {
    const { column, sharedTexts } = this;
    const odd = jsonNamesSetAside(item).find((name) => this.reads.includes(name));
    const { text: given, tone = undefined } =
      odd === undefined ? column.cell(item) : { text: flatPathValue(item, odd) };
    const text = column.apart ? this.names.distinguished(given, column.apart(item)) : given;
    if (this.sharedTexts > sharedTexts) this.lateRows = rows.count;
    this.addText(rows, text, tone);
  }

  addText(rows: GridRows, text: string, tone?: Tone): void {
    const shown = this.shown(text);
    rows.add(shown.text, shown.width, text === "" ? "faint" : tone);
  }

  /** Adds a cell from a JSON text's bytes, if it is printable ASCII. Returns whether it is. */
  addAscii(rows: GridRows, bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    if (length === 0 || length > this.most || !rows.addAscii(bytes, start, end)) return false;
    if (length > this.longest || length > this.width) this.measured(length, Math.min(length, WIDEST));
    return true;
  }

  get sharedTexts(): number {
    return this.names.late.size;
  }

  /** Distinguishes the cells before the first difference. Must be called after the last item. */
  finish(rows: GridRows): void {
    const others = new Map([...this.names.late].map(([text, other]) => [this.shown(text).text, this.shown(other)]));
    rows.replace(this.index, others, this.lateRows);
  }

  private shown(text: string): ShownCell {
    if (text !== this.given || !this.last) this.last = this.shownFor(text);
    this.given = text;
    return this.last;
  }

  private shownFor(text: string): ShownCell {
    const { most, known } = this;
    const isSingle = isSingleWidth(text) && text.length <= most;
    const letters = isSingle ? 0 : known.lettersWidth(text, Math.min(most, WIDEST));
    if (letters > 0) {
      this.isSingle = false;
      this.measured(text.length, letters);
      return { text, width: letters };
    }
    const shown = isSingle
      ? text || NOTHING
      : most === Number.POSITIVE_INFINITY
        ? escapeCell(text, known.escaping)
        : cutText(text, most, known);
    const width = isSingle ? Math.min(shown.length, WIDEST) : widthUpTo(shown, WIDEST, known.measure);
    this.isSingle &&= isSingle || isSingleWidth(shown);
    this.isCut ||= !isSingle && Number.isFinite(most) && isCutText(text, shown);
    this.measured(shown.length, width);
    return { text: shown, width };
  }

  private measured(length: number, width: number): void {
    this.longest = Math.max(this.longest, length);
    this.width = Math.max(this.width, width);
  }
}

export interface Grid {
  columns: readonly GridColumn[];
  rows: GridRows;
  signs?: readonly Cell[];
}

interface GrowingGrid<T extends JsonObject> extends Grid {
  add(item: T): void;
  finish(): void;
}

export function createGrid<T extends JsonObject>(given: readonly TableColumn<T>[]): GrowingGrid<T> {
  const known = createKnownColumns();
  const columns = given.map((column, index) => new GridColumn(column as TableColumn<JsonObject>, index, known));
  const rows = new GridRows(columns.length);
  return {
    columns,
    rows,
    add(item) {
      rows.add(pathValueText(item.id), 0);
      for (const column of columns) column.addTo(rows, item);
      rows.endRow();
    },
    finish() {
      for (const column of columns) column.finish(rows);
    },
  };
}

export function gridOf<T extends JsonObject>(items: readonly T[], columns: readonly TableColumn<T>[]): Grid {
  const grid = createGrid(columns);
  for (const item of items) grid.add(item);
  grid.finish();
  return grid;
}

export const TONES: readonly (Tone | undefined)[] = [undefined, "good", "warn", "bad", "faint"];
/** The bits of a tone in a cell's look, below its width. */
export const WIDTH = 3;
export const TONE = 7;
/** The bytes before the texts of a row, for each cell: the length of its text in bytes, then its look. */
const HEAD = 8;

/** Escaped, with its width in columns: at most `WIDEST`. */
interface MeasuredCell extends Cell {
  width: number;
}

/** Escaped, with its width in columns: at most `WIDEST`. */
type ShownCell = Pick<MeasuredCell, "text" | "width">;

/** A copy of a cell: its text in UTF-8, its look, and the length of its text in UTF-16. */
export interface CellCopy {
  text: Uint8Array;
  look: number;
  units: number;
}

/** Memory for rows, as bytes and as numbers of four bytes. */
type Chunk = ReturnType<typeof createPackedRows>;

/** A row in memory: the heads of all cells, then their texts. The first cell is the ID, unescaped. */
export interface PackedRow extends Chunk {
  head: number;
  /** The position of its first text. */
  text: number;
}

function createPackedRows(size: number) {
  const memory = new ArrayBuffer(Math.ceil(size / HEAD) * HEAD);
  return { bytes: Buffer.from(memory), numbers: new Int32Array(memory) };
}

function unpackRow({ bytes, numbers, head, text }: PackedRow, cells: number): MeasuredCell[] {
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
function isPackedRowBefore(one: PackedRow, other: PackedRow): boolean {
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
