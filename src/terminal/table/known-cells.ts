import type { FieldPlaces } from "../../contract/reply/field-places.ts";
import type { CellCopy } from "./packed-row.ts";

/** The number of remembered cells: a power of two. */
const SLOTS = 256;
/** The maximum length of the fields of a remembered cell. */
const LONGEST = 256;

/** A class, since objects that are spread differ in their hidden class. */
class KnownCell implements CellCopy {
  readonly text: Uint8Array;
  readonly look: number;
  readonly units: number;
  /** The fields that it shows, each with a zero at its end, which JSON never has. */
  readonly fields: Uint8Array;

  constructor({ text, look, units }: CellCopy, fields: Uint8Array) {
    this.text = text;
    this.look = look;
    this.units = units;
    this.fields = fields;
  }
}

/** The cells of one column that were drawn already, by the bytes of the fields that they show. */
export class KnownCells {
  private readonly fields: readonly number[];
  private readonly places: FieldPlaces;
  private readonly slots: (KnownCell | undefined)[] = new Array(SLOTS).fill(undefined);
  /** The length of the fields that were last searched for, or 0 if they are too long, and their slot. */
  private length = 0;
  private slot = 0;

  /** @param fields the numbers of the fields among those that are found */
  constructor(fields: readonly number[], places: FieldPlaces) {
    this.fields = fields;
    this.places = places;
  }

  /** Returns the cell with the same fields as the item whose places were found last. */
  find(bytes: Uint8Array): CellCopy | undefined {
    this.findSlot(bytes);
    const known = this.slots[this.slot];
    return known?.fields.length === this.length && this.isOf(known, bytes) ? known : undefined;
  }

  /** Remembers a cell for the fields that were last searched for. */
  keep(cell: CellCopy, bytes: Uint8Array): void {
    if (this.length === 0) return;
    const { starts, ends } = this.places;
    const fields = this.fields.flatMap((field) => [...bytes.subarray(starts[field], ends[field]), 0]);
    this.slots[this.slot] = new KnownCell(cell, Uint8Array.from(fields));
  }

  clear(): void {
    this.slots.fill(undefined);
  }

  private findSlot(bytes: Uint8Array): void {
    const { fields, places } = this;
    let [length, hash] = [fields.length, 0];
    for (const field of fields) {
      const start = places.starts[field] as number;
      const end = places.ends[field] as number;
      length += end - start;
      if (length > LONGEST) break;
      for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
      hash = Math.imul(hash, 31);
    }
    this.length = length > LONGEST ? 0 : length;
    this.slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  }

  private isOf({ fields }: KnownCell, bytes: Uint8Array): boolean {
    const { starts, ends } = this.places;
    let known = 0;
    for (const field of this.fields) {
      const end = ends[field] as number;
      for (let at = starts[field] as number; at < end; at++) if (fields[known++] !== bytes[at]) return false;
      if (fields[known++] !== 0) return false;
    }
    return true;
  }
}
