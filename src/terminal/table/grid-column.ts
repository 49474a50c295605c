import { type JsonObject, namesSetAside } from "../../contract/json.ts";
import { visible, visibleCell } from "../escape.ts";
import { flatValue, valueText } from "../select/path.ts";
import { cut, isCut } from "../text/cut.ts";
import { createMeasure } from "../text/grapheme-width.ts";
import { createLettersWidth } from "../text/letters-width.ts";
import { createEscaping } from "../text/replace-unsafe.ts";
import type { Cell, TableColumn, Tone } from "../view.ts";
import { isSingleWidth, textWidth, WIDEST, widthUpTo } from "../width.ts";
import type { Shown } from "./packed-row.ts";
import { Rows } from "./rows.ts";

/** Above this number of different texts they are not shared names. */
const MOST_TEXTS = 10_000;

/** Distinguishes items with the same name: `mainnet (evm)` and `mainnet (stellar)`. Unique names stay as they are. */
class Distinguisher {
  /** For each shared text, what replaces it in the rows before the first difference. */
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

/** What the columns of a table share: caches of characters. */
export function createKnown() {
  return { escaping: createEscaping(), measure: createMeasure(), lettersWidth: createLettersWidth() };
}

const NOTHING = "–";

export class GridColumn {
  readonly header: string;
  readonly index: number;
  /** As in `TableColumn`; the first column is always worth it. */
  readonly worth: number | "always";
  readonly canBeCut: boolean;
  readonly right: boolean;
  /** The width of its widest cell or its header; at most `WIDEST`. */
  width: number;
  longest = 0;
  isCut = false;
  isSingle = true;
  readonly reads: readonly string[];
  /** The field whose text its cells show as it is, unless it is empty. */
  readonly shows: string | undefined;
  private readonly most: number;
  private readonly column: TableColumn<JsonObject>;
  private readonly known: ReturnType<typeof createKnown>;
  private readonly names = new Distinguisher();
  private lateRows = 0;
  /** The previous cell as given and as shown: most columns repeat the same text many times. */
  private given: string | undefined;
  private last: Shown | undefined;

  constructor(column: TableColumn<JsonObject>, index: number, known: ReturnType<typeof createKnown>) {
    const { header, align, whole = false, most = WIDEST, worth = 0 } = column;
    this.header = visible(header);
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

  /** Adds the cell of an item to the last row: escaped on one line, and cut if it is too wide. */
  addTo(rows: Rows, item: JsonObject): void {
    const { column, sharedTexts } = this;
    const odd = namesSetAside(item).find((name) => this.reads.includes(name));
    const { text: given, tone = undefined } = odd === undefined ? column.cell(item) : { text: flatValue(item, odd) };
    const text = column.apart ? this.names.distinguished(given, column.apart(item)) : given;
    if (this.sharedTexts > sharedTexts) this.lateRows = rows.count;
    this.addText(rows, text, tone);
  }

  /** Adds a cell with a text that is not escaped yet. */
  addText(rows: Rows, text: string, tone?: Tone): void {
    const shown = this.shown(text);
    rows.add(shown.text, shown.width, text === "" ? "faint" : tone);
  }

  /** Adds a cell from the bytes of a text in JSON, if it is shown as it is: printable ASCII. Returns whether it is. */
  addAscii(rows: Rows, bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    if (length === 0 || length > this.most || !rows.addAscii(bytes, start, end)) return false;
    if (length > this.longest || length > this.width) this.measured(length, Math.min(length, WIDEST));
    return true;
  }

  get sharedTexts(): number {
    return this.names.late.size;
  }

  /** Distinguishes the cells before the first difference. Must be called after the last item. */
  finish(rows: Rows): void {
    const others = new Map([...this.names.late].map(([text, other]) => [this.shown(text).text, this.shown(other)]));
    rows.replace(this.index, others, this.lateRows);
  }

  private shown(text: string): Shown {
    if (text !== this.given || !this.last) this.last = this.shownFor(text);
    this.given = text;
    return this.last;
  }

  private shownFor(text: string): Shown {
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
        ? visibleCell(text, known.escaping)
        : cut(text, most, known);
    const width = isSingle ? Math.min(shown.length, WIDEST) : widthUpTo(shown, WIDEST, known.measure);
    this.isSingle &&= isSingle || isSingleWidth(shown);
    this.isCut ||= !isSingle && Number.isFinite(most) && isCut(text, shown);
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
  rows: Rows;
  signs?: readonly Cell[];
}

export interface GrowingGrid<T extends JsonObject> extends Grid {
  add(item: T): void;
  finish(): void;
}

export function createGrid<T extends JsonObject>(given: readonly TableColumn<T>[]): GrowingGrid<T> {
  const known = createKnown();
  const columns = given.map((column, index) => new GridColumn(column as TableColumn<JsonObject>, index, known));
  const rows = new Rows(columns.length);
  return {
    columns,
    rows,
    add(item) {
      rows.add(valueText(item.id), 0);
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
