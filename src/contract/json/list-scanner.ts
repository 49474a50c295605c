import { isUtf8 } from "node:buffer";
import { UnreliableScan } from "./byte-scanner.ts";
import type { KnownKey, KnownKeys } from "./known-keys.ts";
import { CLOSE_ARRAY, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE, StructureScanner } from "./structure-scanner.ts";

const BACKSLASH = 0x5c;
/** The depth of an item: in a list in the document. */
const ITEM_DEPTH = 3;
/** Numbers per field of an item: the number of its key, and where its value starts and ends. */
export const FIELD = 3;

/** A scanned list, in which nothing is built. An end is the position after the last byte. */
export interface ScannedList {
  items: ItemSpan[];
  /** The fields of all items: see `FIELD`. */
  fields: Int32Array;
  /** The keys of its items. */
  keys: KnownKeys;
  /** From the opening bracket of the list to the closing one. */
  start: number;
  end: number;
}

/** The position of an item in a response. */
export interface ItemSpan {
  /** The response. */
  bytes: Buffer;
  list: ScannedList;
  start: number;
  end: number;
  /** The ID without its quotes, unless the item is odd. */
  idStart: number;
  idEnd: number;
  /** Its part of the list's fields. */
  fieldsStart: number;
  fieldsEnd: number;
  /** Whether the bytes are those of `writeJson` for the item. */
  isPlain: boolean;
  /** Whether every text is its bytes: ASCII without escapes. */
  isAscii: boolean;
  /** Whether only the exact parser can decide if this is JSON. */
  isOdd: boolean;
}

export interface ScanOptions {
  /** The key of the list in the document. */
  list: string;
  /** The maximum number of values. */
  values: number;
  /** The keys of earlier documents of this kind. */
  known: KnownKeys;
}

/**
 * Finds the items of a list in a response, and the fields of each, in one pass over its bytes. Returns undefined if an
 * item has no string ID, or if the response has to be parsed whole. Ignores everything after the list.
 */
export function scanList(body: Uint8Array, options: ScanOptions): ScannedList | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    return new ListScanner(body, options).scan();
  } catch (error) {
    if (error instanceof UnreliableScan) return undefined;
    throw error;
  }
}

/** An item takes about this many numbers. */
const USUAL_FIELDS = 64;

class ListScanner extends StructureScanner {
  private readonly buffer: Buffer;
  private readonly name: string;
  private readonly known: KnownKeys;
  private fields = new Int32Array(USUAL_FIELDS * 16);
  private fieldsEnd = 0;
  private idStart = 0;
  private idEnd = 0;

  constructor(bytes: Uint8Array, { list, values, known }: ScanOptions) {
    super(bytes, values);
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.name = list;
    this.known = known;
  }

  scan(): ScannedList {
    const number = this.known.nextObject();
    this.expect(OPEN_OBJECT);
    for (let after = -1; ; ) {
      const key = this.key(this.known, number, after);
      if (key?.name === this.name) return this.items(key.inside);
      this.value(key, 1);
      this.expect(COMMA);
      after = key?.index ?? after;
    }
  }

  private items(keys: KnownKeys): ScannedList {
    this.expect(OPEN_ARRAY);
    const list: ScannedList = { items: [], fields: this.fields, keys, start: this.at - 1, end: 0 };
    if (!this.take(CLOSE_ARRAY)) {
      do list.items.push(this.item(list));
      while (this.take(COMMA));
      this.expect(CLOSE_ARRAY);
    }
    list.fields = this.fields;
    list.end = this.at;
    return list;
  }

  private item(list: ScannedList): ItemSpan {
    if (this.next() !== OPEN_OBJECT) throw new UnreliableScan();
    const { at: start, fieldsEnd: fieldsStart } = this;
    this.isPlain = true;
    this.isAscii = true;
    this.isOdd = false;
    this.idStart = 0;
    this.object(list.keys, ITEM_DEPTH);
    if (this.idStart === 0) throw new UnreliableScan();
    const { buffer: bytes, at: end, idStart, idEnd, fieldsEnd, isPlain, isAscii, isOdd } = this;
    return {
      bytes,
      list,
      start,
      end,
      idStart,
      idEnd,
      fieldsStart,
      fieldsEnd,
      isPlain: isPlain && !isOdd,
      isAscii,
      isOdd,
    };
  }

  protected override foundField({ index, name }: KnownKey, start: number, depth: number): void {
    if (depth !== ITEM_DEPTH) return;
    if (name === "id") this.foundId(start);
    const at = this.fieldsEnd;
    if (at + FIELD > this.fields.length) this.growFields();
    const { fields } = this;
    fields[at] = index;
    fields[at + 1] = start;
    fields[at + 2] = this.at;
    this.fieldsEnd = at + FIELD;
  }

  private foundId(start: number): void {
    if (this.bytes[start] !== QUOTE) throw new UnreliableScan();
    this.idStart = start + 1;
    this.idEnd = this.at - 1;
    if (!this.isAscii && this.bytes.subarray(start, this.at).includes(BACKSLASH)) this.isOdd = true;
  }

  private growFields(): void {
    const grown = new Int32Array(2 * this.fields.length);
    grown.set(this.fields);
    this.fields = grown;
  }
}
