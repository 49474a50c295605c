import type { FieldPlaces } from "../../contract/reply/field-places.ts";
import type { CellCopy } from "./packed-row.ts";

/** The number of remembered cells: a power of two. */
const SLOTS = 256;
/** The maximum length of the fields of a remembered cell. */
const LONGEST = 256;

interface KnownCell extends CellCopy {
  fields: Uint8Array;
}

/** The cells of one column that were drawn already, by the bytes of the fields that they show. */
export class KnownCells {
  private readonly fields: readonly number[];
  private readonly places: FieldPlaces;
  private readonly slots: (KnownCell | undefined)[] = new Array(SLOTS).fill(undefined);
  /** The bytes of the fields that were last searched for, and their slot. */
  private readonly key = new Uint8Array(LONGEST);
  private length = 0;
  private slot = 0;

  /** @param fields the numbers of the fields among those that are found */
  constructor(fields: readonly number[], places: FieldPlaces) {
    this.fields = fields;
    this.places = places;
  }

  /** Returns the cell with the same fields as the item whose places were found last. */
  find(bytes: Uint8Array): CellCopy | undefined {
    this.writeKey(bytes);
    const { slots, slot, key, length } = this;
    const known = slots[slot];
    if (known?.fields.length !== length || length === 0) return undefined;
    for (let at = 0; at < length; at++) if (known.fields[at] !== key[at]) return undefined;
    return known;
  }

  /** Remembers a cell for the fields that were last searched for. */
  keep(cell: CellCopy): void {
    if (this.length > 0) this.slots[this.slot] = { ...cell, fields: this.key.slice(0, this.length) };
  }

  clear(): void {
    this.slots.fill(undefined);
  }

  /** Copies the fields, each with a zero at its end, which JSON never has; nothing if they are too long. */
  private writeKey(bytes: Uint8Array): void {
    const { fields, places, key } = this;
    let [length, hash] = [0, 0];
    for (const field of fields) {
      const start = places.starts[field] as number;
      const end = places.ends[field] as number;
      if (length + end - start >= LONGEST) {
        this.length = 0;
        return;
      }
      for (let at = start; at < end; at++) {
        const byte = bytes[at] as number;
        hash = (Math.imul(hash, 31) + byte) | 0;
        key[length++] = byte;
      }
      key[length++] = 0;
      hash = Math.imul(hash, 31);
    }
    this.length = length;
    this.slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  }
}
