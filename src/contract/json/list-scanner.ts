import { isUtf8 } from "node:buffer";
import { ByteScanner, UnreliableScan } from "./byte-scanner.ts";
import { type KnownKey, KnownKeys } from "./known-keys.ts";
import { MAX_DEPTH } from "./parse.ts";

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [
  0x22, 0x5c, 0x3a, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d,
];
const [LETTER_F, LETTER_N, LETTER_T] = [0x66, 0x6e, 0x74];
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

class ListScanner extends ByteScanner {
  private readonly buffer: Buffer;
  private readonly name: string;
  private readonly known: KnownKeys;
  private valuesLeft: number;
  private fields = new Int32Array(USUAL_FIELDS * 16);
  private fieldsEnd = 0;
  private idStart = 0;
  private idEnd = 0;

  constructor(bytes: Uint8Array, { list, values, known }: ScanOptions) {
    super(bytes);
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.name = list;
    this.valuesLeft = values;
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
    return { bytes, list, start, end, idStart, idEnd, fieldsStart, fieldsEnd, isPlain: isPlain && !isOdd, isAscii, isOdd };
  }

  /** @param depth the number of enclosing objects and lists, with this one */
  private object(keys: KnownKeys, depth: number): void {
    this.enter(depth);
    if (this.take(CLOSE_OBJECT)) return;
    const number = keys.nextObject();
    let after = -1;
    do {
      const key = this.key(keys, number, after);
      this.next();
      const start = this.at;
      this.value(key, depth);
      if (key) after = key.index;
      if (depth === ITEM_DEPTH && key) this.addField(key, start);
    } while (this.take(COMMA));
    this.expect(CLOSE_OBJECT);
  }

  /** Returns the key, or undefined if only the exact parser can read it. */
  private key(keys: KnownKeys, number: number, after: number): KnownKey | undefined {
    if (this.next() !== QUOTE) throw new UnreliableScan();
    const found = keys.find(this.bytes, this.at, after);
    if (found) this.at += found.quoted.length;
    const key = found ?? this.newKey(keys);
    this.expect(COLON);
    if (!key) return undefined;
    if (key.lastObject === number) this.isOdd = true;
    key.lastObject = number;
    return key;
  }

  private newKey(keys: KnownKeys): KnownKey | undefined {
    const { at: start, isAscii } = this;
    this.isAscii = true;
    this.text();
    if (this.isAscii) {
      this.isAscii = isAscii;
      return keys.add(this.bytes.subarray(start, this.at));
    }
    this.isOdd = true;
    return undefined;
  }

  private addField({ index, name }: KnownKey, start: number): void {
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

  private value(key: KnownKey | undefined, depth: number): void {
    if (--this.valuesLeft < 0) throw new UnreliableScan();
    switch (this.next()) {
      case QUOTE:
        return this.text();
      case OPEN_OBJECT:
        return this.object(key?.inside ?? new KnownKeys(), depth + 1);
      case OPEN_ARRAY:
        return this.array(key, depth + 1);
      case LETTER_T:
        return this.word("true");
      case LETTER_F:
        return this.word("false");
      case LETTER_N:
        return this.word("null");
      default:
        return this.number();
    }
  }

  private array(key: KnownKey | undefined, depth: number): void {
    this.enter(depth);
    if (this.take(CLOSE_ARRAY)) return;
    do this.value(key, depth);
    while (this.take(COMMA));
    this.expect(CLOSE_ARRAY);
  }

  private enter(depth: number): void {
    if (depth > MAX_DEPTH) throw new UnreliableScan();
    this.at++;
  }
}
