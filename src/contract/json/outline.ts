import { isUtf8 } from "node:buffer";
import { hashOf, UnreliableScan } from "./byte-scanner.ts";
import { ItemFinder } from "./item-patterns.ts";
import type { KnownItem, KnownItems } from "./known-items.ts";
import { CLOSE_ARRAY, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE, StructureScanner } from "./structure-scanner.ts";

/** The position of an item in a response. An end is the position after the last byte. */
export interface ItemSpan {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** The ID without its quotes, unless the item is odd. */
  idStart: number;
  idEnd: number;
  /** Whether the bytes are those of `writeJson` for the item, and none of its fields is notable. */
  isPlain: boolean;
  /** Whether only the exact parser can decide if this is JSON. */
  isOdd: boolean;
}

export interface Outline {
  items: ItemSpan[];
  /** From the opening bracket of the list to the closing one. */
  start: number;
  end: number;
}

export interface OutlineOptions {
  /** The key of the list in the document. */
  list: string;
  /** The maximum number of values. */
  values: number;
  /** Fields that make an item not plain. */
  notable: readonly string[];
  /** Patterns of known items, which are found faster. */
  knownItems: KnownItems;
}

/** The depth of an item: in a list in the document. */
const ITEM_DEPTH = 3;
const ID = hashOf("id");

/**
 * Finds the items of a list in a response without building them. Returns undefined if an item has no string ID, or if
 * the response has to be parsed whole. Ignores everything after the list.
 */
export function outlineList(body: Uint8Array, options: OutlineOptions): Outline | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    return new Outliner(body, options).outline();
  } catch (error) {
    if (error instanceof UnreliableScan) return undefined;
    throw error;
  }
}

class Outliner extends StructureScanner {
  private readonly list: string;
  private readonly notable: readonly string[];
  private readonly notableHashes: readonly number[];
  private readonly finder: ItemFinder<KnownItem>;
  private isNotable = false;
  private idStart = 0;
  private idEnd = 0;

  constructor(bytes: Uint8Array, { list, values, notable, knownItems }: OutlineOptions) {
    super(bytes, values);
    this.list = list;
    this.notable = notable;
    this.notableHashes = notable.map(hashOf);
    this.finder = new ItemFinder(bytes, knownItems);
  }

  outline(): Outline {
    this.expect(OPEN_OBJECT);
    for (;;) {
      if (this.next() !== QUOTE) throw new UnreliableScan();
      const start = this.at + 1;
      this.text();
      const isList = this.isText(this.list, start, this.at - 1);
      this.expect(COLON);
      if (isList) return this.items();
      this.value(1);
      this.expect(COMMA);
    }
  }

  private items(): Outline {
    const items: ItemSpan[] = [];
    this.expect(OPEN_ARRAY);
    const start = this.at - 1;
    if (!this.take(CLOSE_ARRAY)) {
      do items.push(this.item());
      while (this.take(COMMA));
      this.expect(CLOSE_ARRAY);
    }
    return { items, start, end: this.at };
  }

  private item(): ItemSpan {
    if (this.next() !== OPEN_OBJECT) throw new UnreliableScan();
    return this.foundItem() ?? this.scannedItem();
  }

  private foundItem(): ItemSpan | undefined {
    const { at: start, bytes, finder, notable } = this;
    const match = finder.match(start);
    if (!match || !finder.described) return undefined;
    const [{ length }, { length: beforeId }, { length: idLength }] = match as unknown as [string, string, string];
    const { names, values } = finder.described;
    this.countValues(Math.min(values, length));
    this.at = start + length;
    const idStart = start + beforeId;
    const isPlain = !notable.some((name) => names.has(name));
    return { bytes, start, end: this.at, idStart, idEnd: idStart + idLength, isPlain, isOdd: false };
  }

  private scannedItem(): ItemSpan {
    const start = this.at;
    this.isPlain = true;
    this.isNotable = false;
    this.isOdd = false;
    this.idStart = 0;
    this.value(ITEM_DEPTH - 1);
    if (this.idStart === 0) throw new UnreliableScan();
    const { bytes, at: end, idStart, idEnd, isPlain, isNotable, isOdd } = this;
    if (isPlain && !isOdd) this.finder.learn(start, end);
    return { bytes, start, end, idStart, idEnd, isPlain: isPlain && !isNotable, isOdd };
  }

  protected override foundName(hash: number, start: number, end: number, depth: number): void {
    if (depth !== ITEM_DEPTH) return;
    for (const name of this.notableHashes) if (name === hash) this.isNotable = true;
    if (hash === ID && this.isText("id", start, end)) this.findId();
  }

  /** Scans the ID twice, here and as an ordinary value. */
  private findId(): void {
    if (this.next() !== QUOTE) throw new UnreliableScan();
    const { at } = this;
    this.text();
    if (this.isEscaped) this.isOdd = true;
    this.idStart = at + 1;
    this.idEnd = this.at - 1;
    this.at = at;
  }
}
