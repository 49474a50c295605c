import { createIdStore } from "./id-store.ts";

/** The set of seen IDs. */
export interface IdSet {
  readonly size: number;
  /** The memory in use. */
  readonly bytes: number;
  /** Adds an ID, given as UTF-8 from `start` up to `end`. Returns false if the set already contains it. */
  add(bytes: Uint8Array, start: number, end: number): boolean;
  /** Reserves memory for the expected count; growing later costs as much as adding. */
  expect(count: number): void;
}

export type Hash = (bytes: Uint8Array, start: number, end: number) => number;

const FEWEST_SLOTS = 1024;
/** The maximum number of slots to reserve (8 MB), since a service may report any count. */
const MOST_EXPECTED = 2 ** 21;

/**
 * Creates an exact and compact set of IDs: the IDs as bytes, and a hash table of their positions. A million IDs of 15
 * bytes take 24 MB; a `Set` of strings takes 120. IDs with the same hash are compared byte by byte, so even a weak hash
 * neither loses nor repeats an ID.
 */
export function createIdSet(hash: Hash): IdSet {
  const store = createIdStore();
  let slots = new Uint32Array(FEWEST_SLOTS);
  let size = 0;

  /** Returns the slot that contains the position of this ID, or the free slot for it. */
  function slotOf(bytes: Uint8Array, start: number, end: number, isNew = false): number {
    const last = slots.length - 1;
    let slot = hash(bytes, start, end) & last;
    for (let place = slots[slot]; place; place = slots[slot]) {
      if (!isNew && store.holds(place, bytes, start, end)) break;
      slot = (slot + 1) & last;
    }
    return slot;
  }

  function growTo(count: number): void {
    slots = new Uint32Array(count);
    store.each((place, bytes, start, end) => {
      slots[slotOf(bytes, start, end, true)] = place;
    });
  }

  return {
    get size() {
      return size;
    },
    get bytes() {
      return store.bytes + slots.byteLength;
    },
    add(bytes, start, end) {
      const slot = slotOf(bytes, start, end);
      if (slots[slot] !== 0) return false;
      slots[slot] = store.add(bytes, start, end);
      size++;
      if (4 * size > 3 * slots.length) growTo(2 * slots.length);
      return true;
    },
    expect(count) {
      let wanted = slots.length;
      while (4 * count > 3 * wanted && wanted < MOST_EXPECTED) wanted *= 2;
      if (wanted > slots.length) growTo(wanted);
    },
  };
}

/** Returns FNV-1a with a random seed: a service cannot send IDs that all collide. */
export function seededHash(seed: number): Hash {
  return (bytes, start, end) => {
    let hash = seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    return hash ^ (hash >>> 15);
  };
}
