import { parseJson } from "./parse.ts";
import type { JsonObject } from "./values.ts";

/** The known structure of all items that match a pattern. */
export interface Described {
  /** The source of the pattern. */
  source: string;
}

/**
 * Patterns of known items, the more frequent ones first. They are reused for later responses, since creating a pattern
 * costs as much as scanning a hundred items.
 */
export interface ItemPatterns<T extends Described> {
  known: (T & { pattern: RegExp })[];
  /** Returns undefined for an item without a pattern. */
  describe(example: JsonObject): T | undefined;
}

const MOST_KNOWN = 8;
/** The maximum number of items learned per response. */
const MOST_LEARNED = 8;
/** The bytes of the longest item that is worth a pattern. */
const LONGEST_ITEM = 4096;
/**
 * The number of bytes converted to text at a time: converting the whole response would cost more than everything else.
 */
const WINDOW = 32_768;

/**
 * Finds the items of one response by their patterns. V8 compiles a pattern to machine code, which scans an item several
 * times as fast as a loop over its bytes. Items of a list are mostly alike; an item without a matching pattern is
 * scanned, and its pattern is learned.
 */
export class ItemFinder<T extends Described> {
  private readonly bytes: Buffer;
  private readonly patterns: ItemPatterns<T>;
  private found: T | undefined;
  private learned = 0;
  private start = 0;
  /** The response from `start` on: each byte is a character. */
  private characters = "";

  constructor(bytes: Uint8Array, patterns: ItemPatterns<T>) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.patterns = patterns;
  }

  /** Returns the structure of the last item found. */
  get described(): T | undefined {
    return this.found;
  }

  /** Returns the match of an item at a position, if it matches a pattern. */
  match(at: number): RegExpExecArray | undefined {
    const { known } = this.patterns;
    if (at + LONGEST_ITEM > this.start + this.characters.length) this.moveTo(at);
    for (const [index, candidate] of known.entries()) {
      candidate.pattern.lastIndex = at - this.start;
      const match = candidate.pattern.exec(this.characters);
      if (!match) continue;
      if (index > 0) known.splice(index - 1, 2, candidate, known[index - 1] as typeof candidate);
      this.found = candidate;
      return match;
    }
    return undefined;
  }

  /** @param start the position of an item that the exact parser accepts */
  learn(start: number, end: number): void {
    const { known, describe } = this.patterns;
    if (this.learned === MOST_LEARNED || end - start > LONGEST_ITEM) return;
    this.learned++;
    const described = describe(parseJson(this.bytes.toString("latin1", start, end)) as JsonObject);
    if (!described || known.some(({ source }) => source === described.source)) return;
    if (known.length === MOST_KNOWN) known.pop();
    known.push({ ...described, pattern: new RegExp(described.source, "y") });
  }

  private moveTo(at: number): void {
    this.start = at;
    this.characters = this.bytes.toString("latin1", at, at + WINDOW);
  }
}
