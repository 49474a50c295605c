import { ByteScanner, UnreliableScan } from "./byte-scanner.ts";
import { type KnownKey, KnownKeys } from "./known-keys.ts";
import { MAX_DEPTH } from "./parse.ts";

export const [QUOTE, COMMA, OPEN_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x22, 0x2c, 0x7b, 0x5b, 0x5d];
const [COLON, CLOSE_OBJECT] = [0x3a, 0x7d];
const [LETTER_F, LETTER_N, LETTER_T] = [0x66, 0x6e, 0x74];

/** Scans objects and lists with any content, and learns their keys. */
export class StructureScanner extends ByteScanner {
  private readonly view: DataView;
  private valuesLeft: number;

  constructor(bytes: Uint8Array, mostValues: number) {
    super(bytes);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.valuesLeft = mostValues;
  }

  /** @param depth the number of enclosing objects and lists */
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

  /** @param depth the number of enclosing objects and lists, with this one */
  protected object(keys: KnownKeys, depth: number): void {
    this.enter(depth);
    if (this.take(CLOSE_OBJECT)) return;
    const number = keys.nextObject();
    let after = -1;
    do {
      const key = this.key(keys, number, after);
      const start = this.at;
      this.value(key, depth);
      if (key === undefined) continue;
      after = key.index;
      this.foundField(key, start, depth);
    } while (this.take(COMMA));
    this.expect(CLOSE_OBJECT);
  }

  /** Called after the value of a field, which starts at `start`. */
  protected foundField(_key: KnownKey, _start: number, _depth: number): void {}

  /**
   * Scans a key up to its value. Returns undefined if only the exact parser can read it.
   * @param number the number of its object
   * @param after the number of the key before it, or -1
   */
  protected key(keys: KnownKeys, number: number, after: number): KnownKey | undefined {
    if (this.next() !== QUOTE) throw new UnreliableScan();
    const found = keys.find(this.view, this.at, after);
    if (found) this.at += found.length;
    const key = found ?? this.newKey(keys);
    this.expect(COLON);
    this.next();
    if (key === undefined) return undefined;
    if (key.lastObject === number) this.isOdd = true;
    key.lastObject = number;
    return key;
  }

  private newKey(keys: KnownKeys): KnownKey | undefined {
    const { at: start, isAscii, isPlain } = this;
    this.isAscii = true;
    this.isPlain = true;
    this.text();
    const isUsual = this.isAscii && this.isPlain;
    this.isAscii = isAscii;
    this.isPlain = isPlain;
    if (isUsual) return keys.add(this.bytes.subarray(start, this.at));
    this.isOdd = true;
    return undefined;
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
