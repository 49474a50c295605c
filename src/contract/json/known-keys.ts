import { UnreliableScan } from "./byte-scanner.ts";

/** The most keys at one place of a document; with more, the exact parser is faster. */
const MOST_KEYS = 64;
const LONGEST_KEY = 256;
/** The concurrent pages of a list, each of up to some megabytes. */
const [MOST_FREE, MOST_NUMBERS] = [8, 2 ** 20];

/** A key at one place of a document, such as `url` in an entry of `custom_rpc_urls`. */
export interface KnownKey {
  readonly name: string;
  readonly quoted: Uint8Array;
  readonly index: number;
  /** The keys of the objects that are its value, or entries of it. */
  readonly inside: KnownKeys;
  lastObject: number;
  /** A field with this key, to compare the next one with. */
  readonly sample: FieldSample;
}

/** A field as `writeJson` spells it, whose texts are ASCII without escapes: its key, a colon, and its value. */
export interface FieldSample {
  document: number;
  /** Where its key starts in the document, and how many bytes it has. */
  start: number;
  length: number;
  /** The number of values in it, and of objects and lists that enclose it. */
  values: number;
  depth: number;
}

/** Objects at one place are mostly alike, so a key is nearly always the first or second after the one before it. */
export class KnownKeys {
  readonly keys: KnownKey[] = [];
  private readonly indexes = new Map<string, number>();
  private objects = 0;
  private readonly freeNumbers: Int32Array[] = [];

  takeNumbers(count: number): Int32Array {
    const free = this.freeNumbers.pop();
    return free && free.length >= count ? free : new Int32Array(count);
  }

  /** Reclaims the numbers of a list, of which no item is read anymore. */
  giveNumbers(numbers: Int32Array): void {
    if (this.freeNumbers.length < MOST_FREE && numbers.length <= MOST_NUMBERS) this.freeNumbers.push(numbers);
  }

  nextObject(): number {
    return ++this.objects;
  }

  /** @param quoted the bytes of a new key in printable ASCII without escapes */
  add(quoted: Uint8Array): void {
    if (this.keys.length === MOST_KEYS || quoted.length > LONGEST_KEY) throw new UnreliableScan();
    const name = String.fromCharCode(...quoted.subarray(1, -1));
    const key = {
      name,
      quoted: Uint8Array.from(quoted),
      index: this.keys.length,
      inside: new KnownKeys(),
      lastObject: 0,
      sample: { document: 0, start: 0, length: 0, values: 0, depth: 0 },
    };
    this.keys.push(key);
    this.indexes.set(name, key.index);
  }

  /** Returns the number of a key, if any object had it. */
  indexOf(name: string): number | undefined {
    return this.indexes.get(name);
  }

  get names(): readonly string[] {
    return this.keys.map(({ name }) => name);
  }
}
