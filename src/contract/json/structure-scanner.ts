import { ByteScanner, UnreliableScan } from "./byte-scanner.ts";
import { MAX_DEPTH } from "./parse.ts";

export const [QUOTE, COLON, COMMA, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [
  0x22, 0x3a, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d,
];
const [LETTER_F, LETTER_N, LETTER_T] = [0x66, 0x6e, 0x74];
/** The keys of one object are compared pairwise; for more keys, the exact parser is faster. */
const MOST_FIELDS = 64;

/** Scans objects and lists with any content. */
export class StructureScanner extends ByteScanner {
  private valuesLeft: number;
  /** Hashes of the keys of all open objects, the innermost last. */
  private readonly names = new Int32Array(MOST_FIELDS * MAX_DEPTH);
  private named = 0;

  constructor(bytes: Uint8Array, mostValues: number) {
    super(bytes);
    this.valuesLeft = mostValues;
  }

  /** @param depth the number of enclosing objects and lists */
  protected value(depth: number): void {
    const byte = this.next();
    this.countValues(1);
    if (byte === QUOTE) this.text();
    else if (byte === OPEN_OBJECT) this.object(depth + 1);
    else if (byte === OPEN_ARRAY) this.array(depth + 1);
    else if (byte === LETTER_T) this.word("true");
    else if (byte === LETTER_F) this.word("false");
    else if (byte === LETTER_N) this.word("null");
    else this.number();
  }

  protected countValues(count: number): void {
    this.valuesLeft -= count;
    if (this.valuesLeft < 0) throw new UnreliableScan();
  }

  private object(depth: number): void {
    this.enter(depth);
    if (this.take(CLOSE_OBJECT)) return;
    const first = this.named;
    do {
      this.name(depth, first);
      this.value(depth);
    } while (this.take(COMMA));
    this.expect(CLOSE_OBJECT);
    this.named = first;
  }

  private name(depth: number, first: number): void {
    if (this.next() !== QUOTE) throw new UnreliableScan();
    const start = this.at + 1;
    const hash = this.text();
    if (this.isEscaped || this.hasName(hash, first)) this.isOdd = true;
    if (this.named - first === MOST_FIELDS) throw new UnreliableScan();
    this.names[this.named++] = hash;
    const end = this.at - 1;
    this.expect(COLON);
    this.foundName(hash, start, end, depth);
  }

  private hasName(hash: number, first: number): boolean {
    for (let index = first; index < this.named; index++) if (this.names[index] === hash) return true;
    return false;
  }

  /** Called before the value of a field. */
  protected foundName(_hash: number, _start: number, _end: number, _depth: number): void {}

  private array(depth: number): void {
    this.enter(depth);
    if (this.take(CLOSE_ARRAY)) return;
    do this.value(depth);
    while (this.take(COMMA));
    this.expect(CLOSE_ARRAY);
  }

  private enter(depth: number): void {
    if (depth > MAX_DEPTH) throw new UnreliableScan();
    this.at++;
  }
}
