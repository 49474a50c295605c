import { isUtf8 } from "node:buffer";
import { unless } from "../../errors.ts";
import { UnreliableScan } from "./byte-scanner.ts";
import {
  ASCII,
  END,
  FIELD,
  FIELDS_START,
  FORM,
  ID_END,
  ID_START,
  ItemSpan,
  ODD,
  PLAIN,
  type ScannedList,
  SPAN,
  START,
} from "./item-span.ts";
import type { KnownKey, KnownKeys } from "./known-keys.ts";
import { CLOSE_ARRAY, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE, StructureScanner } from "./structure-scanner.ts";

const BACKSLASH = 0x5c;
const ITEM_DEPTH = 3;
export interface ScanOptions {
  list: string;
  values: number;
  known: KnownKeys;
}

/** Finds a list's items in one pass over its bytes; undefined if the response has to be parsed whole. */
export function scanList(body: Uint8Array, options: ScanOptions): ScannedList | undefined {
  if (!isUtf8(body)) return undefined;
  return unless(UnreliableScan, () => new ListScanner(body, options).scan());
}

/** Bytes for which there is a number: the shortest usual fields have about twelve. */
const BYTES_PER_NUMBER = 4;

class ListScanner extends StructureScanner {
  private readonly buffer: Buffer;
  private readonly name: string;
  private readonly known: KnownKeys;
  private numbers: Int32Array;
  private used = 0;
  private idStart = 0;
  private idEnd = 0;

  constructor(bytes: Uint8Array, { list, values, known }: ScanOptions) {
    super(bytes, values, known.nextObject());
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.name = list;
    this.known = known;
    this.numbers = known.takeNumbers(Math.ceil(bytes.length / BYTES_PER_NUMBER));
  }

  scan(): ScannedList {
    this.expect(OPEN_OBJECT);
    for (let after = -1; ; ) {
      const key = this.key(this.known, this.document, after);
      if (key?.name === this.name) return this.items(key.inside);
      this.value(key, 1);
      this.expect(COMMA);
      after = key?.index ?? after;
    }
  }

  private items(keys: KnownKeys): ScannedList {
    this.expect(OPEN_ARRAY);
    const { buffer: bytes, numbers } = this;
    const list: ScannedList = {
      bytes,
      items: [],
      hasOdd: false,
      numbers,
      scanner: this,
      keys,
      start: this.at - 1,
      end: 0,
    };
    if (!this.take(CLOSE_ARRAY)) {
      do list.items.push(this.item(list));
      while (this.take(COMMA));
      this.expect(CLOSE_ARRAY);
    }
    list.numbers = this.numbers;
    list.end = this.at;
    return list;
  }

  private item(list: ScannedList): ItemSpan {
    if (this.next() !== OPEN_OBJECT) throw new UnreliableScan();
    const { at: start, used: fieldsStart } = this;
    this.isPlain = true;
    this.isAscii = true;
    this.isOdd = false;
    this.idStart = 0;
    this.object(list.keys, ITEM_DEPTH);
    if (this.idStart === 0) throw new UnreliableScan();
    list.hasOdd ||= this.isOdd;
    const { used: at, isPlain, isAscii, isOdd } = this;
    const numbers = this.roomFor(SPAN);
    numbers[at + START] = start;
    numbers[at + END] = this.at;
    numbers[at + ID_START] = this.idStart;
    numbers[at + ID_END] = this.idEnd;
    numbers[at + FIELDS_START] = fieldsStart;
    numbers[at + FORM] = (isPlain && !isOdd ? PLAIN : 0) | (isAscii ? ASCII : 0) | (isOdd ? ODD : 0);
    return new ItemSpan(list, at);
  }

  protected override foundField({ index, name }: KnownKey, start: number, depth: number): void {
    if (depth !== ITEM_DEPTH) return;
    if (name === "id") this.foundId(start);
    const { used: at } = this;
    const numbers = this.roomFor(FIELD);
    numbers[at] = index;
    numbers[at + 1] = start;
    numbers[at + 2] = this.at;
  }

  private foundId(start: number): void {
    if (this.bytes[start] !== QUOTE) throw new UnreliableScan();
    this.idStart = start + 1;
    this.idEnd = this.at - 1;
    if (!this.isAscii && this.bytes.subarray(start, this.at).includes(BACKSLASH)) this.isOdd = true;
  }

  private roomFor(count: number): Int32Array {
    this.used += count;
    return this.used > this.numbers.length ? this.grownNumbers() : this.numbers;
  }

  private grownNumbers(): Int32Array {
    const grown = new Int32Array(2 * this.used);
    grown.set(this.numbers);
    this.numbers = grown;
    return grown;
  }
}
