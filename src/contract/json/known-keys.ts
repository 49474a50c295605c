import { UnreliableScan } from "./byte-scanner.ts";

/** The most keys at one place of a document; with more, the exact parser is faster. */
const MOST_KEYS = 64;
const LONGEST_KEY = 256;
/** As many pages of a list are read at once, each of up to some megabytes. */
const [MOST_FREE, MOST_NUMBERS] = [8, 2 ** 20];

/** A key at one place of a document, such as `url` in an entry of `custom_rpc_urls`. */
export interface KnownKey {
  readonly name: string;
  /** The number of its bytes, with the quotes. */
  readonly length: number;
  /** Its bytes, four in each number, and the last ones. */
  readonly words: Int32Array;
  readonly rest: Uint8Array;
  /** Its number among the keys at its place. */
  readonly index: number;
  /** The keys of the objects that are its value, or entries of it. */
  readonly inside: KnownKeys;
  /** The last object that has it. */
  lastObject: number;
}

/**
 * The keys of all objects at one place of a document, in the order in which they first came. Objects at one place are
 * mostly alike, so a key is nearly always found at once: at the first or second position after the one before it. It is
 * compared with all of its bytes, so finding it also validates it.
 */
export class KnownKeys {
  private readonly keys: KnownKey[] = [];
  private readonly indexes = new Map<string, number>();
  private objects = 0;
  private readonly freeNumbers: Int32Array[] = [];

  /** Returns memory for this many numbers, with any content. */
  takeNumbers(count: number): Int32Array {
    const free = this.freeNumbers.pop();
    return free && free.length >= count ? free : new Int32Array(count);
  }

  /** Takes back the numbers of a list, of which no item is read anymore. */
  giveNumbers(numbers: Int32Array): void {
    if (this.freeNumbers.length < MOST_FREE && numbers.length <= MOST_NUMBERS) this.freeNumbers.push(numbers);
  }

  /** Begins another object, and returns its number. */
  nextObject(): number {
    return ++this.objects;
  }

  /** Returns the key whose bytes begin at a position. @param after the number of the key before it, or -1 */
  find(bytes: DataView, at: number, after: number): KnownKey | undefined {
    const { keys } = this;
    for (let index = after + 1; index < keys.length; index++) {
      const key = keys[index] as KnownKey;
      if (isAt(key, bytes, at)) return key;
    }
    for (let index = 0; index <= after; index++) {
      const key = keys[index] as KnownKey;
      if (isAt(key, bytes, at)) return key;
    }
    return undefined;
  }

  /** @param quoted the bytes of a key in printable ASCII without escapes, which is not known yet */
  add(quoted: Uint8Array): KnownKey {
    if (this.keys.length === MOST_KEYS || quoted.length > LONGEST_KEY) throw new UnreliableScan();
    const name = String.fromCharCode(...quoted.subarray(1, -1));
    const key = {
      name,
      ...inWords(quoted),
      index: this.keys.length,
      inside: new KnownKeys(),
      lastObject: 0,
    };
    this.keys.push(key);
    this.indexes.set(name, key.index);
    return key;
  }

  /** Returns the number of a key; undefined if no object has had it. */
  indexOf(name: string): number | undefined {
    return this.indexes.get(name);
  }

  get names(): readonly string[] {
    return this.keys.map(({ name }) => name);
  }
}

const WORD = 4;

function inWords(quoted: Uint8Array): Pick<KnownKey, "length" | "words" | "rest"> {
  const { length } = quoted;
  const view = new DataView(quoted.buffer, quoted.byteOffset, length);
  const words = Int32Array.from({ length: Math.floor(length / WORD) }, (_, index) => view.getInt32(index * WORD));
  return { length, words, rest: new Uint8Array(quoted.subarray(words.length * WORD)) };
}

/** Compares four bytes at a time: keys are half of the bytes of a list. */
function isAt({ length, words, rest }: KnownKey, bytes: DataView, start: number): boolean {
  if (start + length > bytes.byteLength) return false;
  let at = start;
  for (let index = 0; index < words.length; index++, at += WORD) if (bytes.getInt32(at) !== words[index]) return false;
  for (let index = 0; index < rest.length; index++, at++) if (bytes.getUint8(at) !== rest[index]) return false;
  return true;
}
