import { ByteScanner, UnreliableScan } from "./byte-scanner.ts";
import { type FieldSample, type KnownKey, KnownKeys } from "./known-keys.ts";
import { MAX_DEPTH } from "./parse.ts";

export const [QUOTE, COMMA, OPEN_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x22, 0x2c, 0x7b, 0x5b, 0x5d];
const [COLON, CLOSE_OBJECT] = [0x3a, 0x7d];
const [LETTER_F, LETTER_N, LETTER_T] = [0x66, 0x6e, 0x74];

/** The longest sample: nested fields that differ at their ends are compared once per level. */
const LONGEST_SAMPLE = 1024;
const WORD = 4;

/** Neighboring items are alike, so equal fields are compared in words, not scanned. */
export class StructureScanner extends ByteScanner {
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
