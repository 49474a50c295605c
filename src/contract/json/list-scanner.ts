import { isUtf8 } from "node:buffer";
import { undefinedOnError } from "../../errors.ts";
import type { LooseMembers } from "../reply/shape.ts";
import { ByteScanner, UnreliableScan } from "./byte-scanner.ts";
import { type FieldSample, type KnownKey, KnownKeys } from "./known-keys.ts";
import { MAX_DEPTH } from "./parse.ts";

const [QUOTE, COMMA, OPEN_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x22, 0x2c, 0x7b, 0x5b, 0x5d];
const [COLON, CLOSE_OBJECT] = [0x3a, 0x7d];
const [LETTER_F, LETTER_N, LETTER_T] = [0x66, 0x6e, 0x74];

/** The longest sample: nested fields that differ at their ends are compared once per level. */
const LONGEST_SAMPLE = 1024;
const WORD = 4;

/** Neighboring items are alike, so equal fields are compared in words, not scanned. */
class StructureScanner extends ByteScanner {
  private readonly view: DataView;
  private readonly size: number;
  /** The number of this document, whose samples are compared. */
  protected readonly document: number;
  private valuesLeft: number;
  /** How many bytes of the last key, and of its value, match its sample. */
  private equal = 0;
  private keyStart = 0;

  constructor(bytes: Uint8Array, mostValues: number, document: number) {
    super(bytes);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.size = bytes.length;
    this.document = document;
    this.valuesLeft = mostValues;
  }

  protected value(key: KnownKey | undefined, depth: number): void {
    if (--this.valuesLeft < 0) throw new UnreliableScan();
    const byte = this.next();
    if (byte === QUOTE) this.text();
    else if (byte === OPEN_OBJECT) this.object(key?.inside ?? new KnownKeys(), depth + 1);
    else if (byte === OPEN_ARRAY) this.array(key, depth + 1);
    else if (byte === LETTER_T) this.word("true");
    else if (byte === LETTER_F) this.word("false");
    else if (byte === LETTER_N) this.word("null");
    else this.number();
  }

  protected object(keys: KnownKeys, depth: number): void {
    this.enter(depth);
    if (this.take(CLOSE_OBJECT)) return;
    const number = keys.nextObject();
    let after = -1;
    do {
      const key = this.key(keys, number, after);
      if (key === undefined) this.value(key, depth);
      else {
        after = key.index;
        this.field(key, depth);
      }
    } while (this.take(COMMA));
    this.expect(CLOSE_OBJECT);
  }

  /** Scans the value of a key that was just found. */
  private field(key: KnownKey, depth: number): void {
    const { at: start, keyStart, equal, valuesLeft, bytes } = this;
    const { sample, quoted } = key;
    if (equal === sample.length && depth <= sample.depth && this.isEnd(keyStart + equal)) {
      this.at = keyStart + equal;
      this.valuesLeft -= sample.values;
    } else {
      if (equal > quoted.length + 1 && equal < sample.length && bytes[start] === QUOTE) {
        this.text(keyStart + equal);
        this.valuesLeft--;
      } else this.value(key, depth);
      const length = this.at - keyStart;
      if (this.isPlain && this.isAscii && !this.isOdd && length <= LONGEST_SAMPLE) {
        sample.document = this.document;
        sample.start = keyStart;
        sample.length = length;
        sample.values = valuesLeft - this.valuesLeft;
        sample.depth = depth;
      }
    }
    if (this.valuesLeft < 0) throw new UnreliableScan();
    this.foundField(key, start, depth);
  }

  /** Returns whether a value certainly ends before this position, which the digits of a number may not. */
  private isEnd(at: number): boolean {
    const byte = this.bytes[at];
    return byte === COMMA || byte === CLOSE_OBJECT;
  }

  /** Called after the value of a field, which starts at `start`. */
  protected foundField(_key: KnownKey, _start: number, _depth: number): void {}

  /** Returns undefined if only the exact parser can read it. @param after the number of the previous key, or -1 */
  protected key(keys: KnownKeys, number: number, after: number): KnownKey | undefined {
    if (this.next() !== QUOTE) throw new UnreliableScan();
    this.keyStart = this.at;
    const key = this.find(keys.keys, after) ?? this.newKey(keys, after);
    this.expect(COLON);
    this.next();
    if (key === undefined) return undefined;
    if (key.lastObject === number) this.isOdd = true;
    key.lastObject = number;
    return key;
  }

  /** Returns the key at this position if it is known. To compare all of its bytes is to validate it. */
  private find(keys: readonly KnownKey[], after: number): KnownKey | undefined {
    let index = after;
    for (let tried = 0; tried < keys.length; tried++) {
      if (++index === keys.length) index = 0;
      const key = keys[index] as KnownKey;
      this.equal = key.sample.document === this.document ? this.equalTo(key.sample) : this.equalToKey(key.quoted);
      if (this.equal < key.quoted.length) continue;
      this.at += key.quoted.length;
      return key;
    }
    this.equal = 0;
    return undefined;
  }

  /** Returns how many bytes from this position match an earlier field. */
  private equalTo({ start, length }: FieldSample): number {
    const { at, bytes, view } = this;
    const most = Math.min(length, this.size - at);
    let equal = 0;
    while (equal + WORD <= most && view.getInt32(at + equal, true) === view.getInt32(start + equal, true))
      equal += WORD;
    while (equal < most && bytes[at + equal] === bytes[start + equal]) equal++;
    return equal;
  }

  private equalToKey(quoted: Uint8Array): number {
    let equal = 0;
    while (equal < quoted.length && this.bytes[this.at + equal] === quoted[equal]) equal++;
    return equal;
  }

  /** Learns a key, and passes over it. Returns undefined if only the exact parser can read it. */
  private newKey(keys: KnownKeys, after: number): KnownKey | undefined {
    const { at: start, isAscii, isPlain } = this;
    this.isAscii = true;
    this.isPlain = true;
    this.text();
    const isUsual = this.isAscii && this.isPlain;
    this.isAscii = isAscii;
    this.isPlain = isPlain;
    this.isOdd ||= !isUsual;
    if (!isUsual) return undefined;
    keys.add(this.bytes.subarray(start, this.at));
    this.at = start;
    return this.find(keys.keys, after);
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

const BACKSLASH = 0x5c;
const ITEM_DEPTH = 3;
interface ScanOptions {
  list: string;
  values: number;
  known: KnownKeys;
}

/** Finds a list's items in one pass over its bytes; undefined if the response has to be parsed whole. */
export function scanList(body: Uint8Array, options: ScanOptions): ScannedList | undefined {
  if (!isUtf8(body)) return undefined;
  return undefinedOnError(UnreliableScan, () => new ListScanner(body, options).scan());
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

/** Numbers per field of an item: the number of its key, and where its value starts and ends. */
export const FIELD = 3;

/** A scanned list without built items. An end is the position after the last byte. */
export interface ScannedList {
  bytes: Buffer;
  items: ItemSpan[];
  hasOdd: boolean;
  /** For each item its fields (see `FIELD`), and then the numbers of its span. */
  numbers: Int32Array;
  /** Kept as long as the list: V8 discards compiled code of a class that has no instance when it collects garbage. */
  scanner: unknown;
  keys: KnownKeys;
  /** The members of its items that are set aside if they are of an odd type. */
  loose?: LooseMembers;
  /** Between the list's brackets. */
  start: number;
  end: number;
}

/** The numbers of a span in their order, and how many there are. */
const [START, END, ID_START, ID_END, FIELDS_START, FORM, SPAN] = [0, 1, 2, 3, 4, 5, 6];
/** The bits of `FORM`. */
const [PLAIN, ASCII, ODD] = [1, 2, 4];

/** The position of an item in a response. There may be thousands, so that each is two words, and the rest is numbers of its list. */
export class ItemSpan {
  readonly list: ScannedList;
  /** Where its numbers start, after its fields. */
  readonly fieldsEnd: number;

  constructor(list: ScannedList, at: number) {
    this.list = list;
    this.fieldsEnd = at;
  }

  get bytes(): Buffer {
    return this.list.bytes;
  }

  get start(): number {
    return this.number(START);
  }

  get end(): number {
    return this.number(END);
  }

  /** Where the ID without its quotes starts, unless the item is odd. */
  get idStart(): number {
    return this.number(ID_START);
  }

  get idEnd(): number {
    return this.number(ID_END);
  }

  get fieldsStart(): number {
    return this.number(FIELDS_START);
  }

  /** Whether the bytes equal `writeJson` of the item. */
  get isPlain(): boolean {
    return (this.number(FORM) & PLAIN) !== 0;
  }

  /** Whether every text is its bytes: ASCII without escapes. */
  get isAscii(): boolean {
    return (this.number(FORM) & ASCII) !== 0;
  }

  /** Whether only the exact parser can decide if this is JSON. */
  get isOdd(): boolean {
    return (this.number(FORM) & ODD) !== 0;
  }

  private number(index: number): number {
    return this.list.numbers[this.fieldsEnd + index] as number;
  }
}
