import type { LooseMembers } from "../reply/shape.ts";
import type { KnownKeys } from "./known-keys.ts";

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
export const [START, END, ID_START, ID_END, FIELDS_START, FORM, SPAN] = [0, 1, 2, 3, 4, 5, 6];
/** The bits of `FORM`. */
export const [PLAIN, ASCII, ODD] = [1, 2, 4];

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
