import { createIdStore } from "./id-store.ts";

/** The ids that were seen. */
export interface IdSet {
  readonly size: number;
  /** The memory that it takes. */
  readonly bytes: number;
  /** Adds an id, given as UTF-8 from `start` up to `end`. False when it is in the set already. */
  add(bytes: Uint8Array, start: number, end: number): boolean;
  /** Makes room at once for as many as are expected; growing costs as much as the adding. */
  expect(count: number): void;
}

export type Hash = (bytes: Uint8Array, start: number, end: number) => number;

const FEWEST_SLOTS = 1024;
/** No more is expected than this, 8 MB: a service may say that there are any number. */
const MOST_EXPECTED = 2 ** 21;

/**
 * A set of ids that is exact and small: the ids as bytes, and a table of where each stands, found by its hash. A million
 * ids of 15 bytes take 24 MB, where a `Set` of texts takes 120. Ids with the same hash are told apart by their bytes, so that no
 * hash, however weak, loses one or lets one pass twice.
 */
export function createIdSet(hash: Hash): IdSet {
  const store = createIdStore();
  let slots = new Uint32Array(FEWEST_SLOTS);
  let size = 0;

  /** The slot that holds the place of this id, or the free one where that belongs. */
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

/** FNV-1a, begun with a number that no service knows: it cannot send ids that all meet in one slot. */
export function seededHash(seed: number): Hash {
  return (bytes, start, end) => {
    let hash = seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    return hash ^ (hash >>> 15);
  };
}
