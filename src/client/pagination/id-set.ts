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
 * Creates an exact and compact set of IDs: the IDs as bytes, and a hash table of their positions. While each ID comes
 * after the one before it, none can be a duplicate, and there is no table. A million IDs of 15 bytes take 24 MB; a `Set`
 * of strings takes 120. IDs with the same hash are compared byte by byte, so even a weak hash neither loses nor repeats
 * an ID.
 */
export function createIdSet(hash: Hash): IdSet {
  const store = createIdStore();
  let slots: Uint32Array | undefined;
  let fewestSlots = FEWEST_SLOTS;
  let size = 0;

  /** Returns the slot that contains the position of this ID, or the free slot for it. */
  function slotOf(table: Uint32Array, bytes: Uint8Array, start: number, end: number, isNew = false): number {
    const mask = table.length - 1;
    let slot = hash(bytes, start, end) & mask;
    for (let place = table[slot]; place; place = table[slot]) {
      if (!isNew && store.holds(place, bytes, start, end)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  function tableOf(count: number): Uint32Array {
    const table = new Uint32Array(count);
    store.each((place, bytes, start, end) => {
      table[slotOf(table, bytes, start, end, true)] = place;
    });
    return table;
  }

  /** Adds an ID and returns its position. */
  function addUnseen(bytes: Uint8Array, start: number, end: number): number {
    size++;
    return store.add(bytes, start, end);
  }

  return {
    get size() {
      return size;
    },
    get bytes() {
      return store.bytes + (slots?.byteLength ?? 0);
    },
    add(bytes, start, end) {
      if (!slots && store.follows(bytes, start, end)) return addUnseen(bytes, start, end) > 0;
      slots ??= tableOf(slotsFor(size + 1, fewestSlots));
      const slot = slotOf(slots, bytes, start, end);
      if (slots[slot] !== 0) return false;
      slots[slot] = addUnseen(bytes, start, end);
      if (isFull(size, slots.length)) slots = tableOf(2 * slots.length);
      return true;
    },
    expect(count) {
      fewestSlots = slotsFor(Math.min(count, MOST_EXPECTED / 2), fewestSlots);
      if (slots && fewestSlots > slots.length) slots = tableOf(fewestSlots);
    },
  };
}

function isFull(count: number, slots: number): boolean {
  return 4 * count > 3 * slots;
}

/** Returns a power of two. */
function slotsFor(count: number, fewest: number): number {
  let slots = fewest;
  while (isFull(count, slots)) slots *= 2;
  return slots;
}

/** Returns FNV-1a with a random seed: a service cannot send IDs that all collide. */
export function seededHash(seed: number): Hash {
  return (bytes, start, end) => {
    let hash = seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    return hash ^ (hash >>> 15);
  };
}
