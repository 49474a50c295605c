import { parseJson } from "./parse.ts";
import type { JsonObject } from "./values.ts";

/** What is known of all items that match a pattern. */
export interface Described {
  /** Of the pattern. */
  source: string;
}

/**
 * Patterns of items that were met, the better known ones first. They outlast a reply, since to make one costs as much as to
 * go over a hundred items.
 */
export interface ItemPatterns<T extends Described> {
  known: (T & { pattern: RegExp })[];
  /** Nothing for an item that has no pattern. */
  describe(example: JsonObject): T | undefined;
}

const MOST_KNOWN = 8;
/** So many items of one reply are learned; longer ones are not worth it. */
const MOST_LEARNED = 8;
const LONGEST_ITEM = 4096;
/** So much of a reply is made a text at a time: one of all of it costs more than all that is done with it. */
const WINDOW = 32_768;

/**
 * Finds the items of one reply by their patterns. V8 makes machine code of a pattern, which goes over an item several times as
 * fast as a loop over its bytes does. Items of a list mostly look alike; one that looks like none before is read in another
 * way, and learned.
 */
export class ItemFinder<T extends Described> {
  private readonly bytes: Buffer;
  private readonly patterns: ItemPatterns<T>;
  private found: T | undefined;
  private learned = 0;
  private start = 0;
  /** What stands from `start` on: each byte is a character. */
  private characters = "";

  constructor(bytes: Uint8Array, patterns: ItemPatterns<T>) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.patterns = patterns;
  }

  /** What is known of the item that was found last. */
  get described(): T | undefined {
    return this.found;
  }

  /** The item at a place, when it matches a pattern. */
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

  /** @param start the place of an item that the exact reader accepts */
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
