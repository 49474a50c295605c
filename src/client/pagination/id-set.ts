/** The first and the largest chunk of memory: each is twice as large as the previous one. */
const [FIRST, CHUNK] = [2 ** 10, 2 ** 18];
const MOST_PLACES = 2 ** 32;
/** Terminates an ID; no byte of UTF-8 has this value. */
const END = 0xff;

/** IDs as consecutive bytes in a few large chunks of memory. A position is above 0 and below 2^32. */
function createIdStore() {
  let last: { bytes: Uint8Array; used: number } = { bytes: new Uint8Array(FIRST).fill(END, 0, 1), used: 1 };
  let lastStart = 0;
  const chunks = [last];
  let taken = FIRST;

  /** Adds a chunk. A longer ID gets a separate chunk, which still uses one chunk's range of positions. */
  function makeRoom(length: number): void {
    if (last.used + length <= last.bytes.length) return;
    last = { bytes: new Uint8Array(Math.max(Math.min(CHUNK, 2 * last.bytes.length), length)), used: 0 };
    chunks.push(last);
    taken += last.bytes.length;
    if (chunks.length * CHUNK > MOST_PLACES) throw new RangeError("too many ids to keep in memory");
  }

  return {
    get bytes() {
      return taken;
    },
    add(bytes: Uint8Array, start: number, end: number) {
      makeRoom(end - start + 1);
      const { bytes: held, used } = last;
      lastStart = used;
      let to = used;
      for (let at = start; at < end; at++) held[to++] = bytes[at] ?? 0;
      held[to++] = END;
      last.used = to;
      return (chunks.length - 1) * CHUNK + used;
    },
    holds(place: number, bytes: Uint8Array, start: number, end: number) {
      const held = chunks[Math.floor(place / CHUNK)]?.bytes;
      if (!held) return false;
      let from = place % CHUNK;
      for (let at = start; at < end; at++) if (held[from++] !== bytes[at]) return false;
      return held[from] === END;
    },
    /** Returns whether an ID comes after the last added ID, in the order of their bytes. */
    follows(bytes: Uint8Array, start: number, end: number) {
      const held = last.bytes;
      let from = lastStart;
      for (let at = start; at < end; at++, from++) {
        if (held[from] !== bytes[at]) return held[from] === END || (held[from] ?? 0) < (bytes[at] ?? 0);
      }
      return false;
    },
    each(visit: (place: number, bytes: Uint8Array, start: number, end: number) => void) {
      for (const [index, { bytes, used }] of chunks.entries()) {
        for (let start = index === 0 ? 1 : 0; start < used; ) {
          const end = bytes.indexOf(END, start);
          visit(index * CHUNK + start, bytes, start, end);
          start = end + 1;
        }
      }
    },
  };
}

export type IdSet = ReturnType<typeof createIdSet>;

export type Hash = (bytes: Uint8Array, start: number, end: number) => number;

const FEWEST_SLOTS = 1024;
/** The maximum number of slots to reserve (8 MB), since a service may report any count. */
const MOST_EXPECTED = 2 ** 21;

/**
 * Creates an exact and compact set of IDs: the IDs as bytes, and a hash table of their positions. While each ID comes
 * after the previous one, none can be a duplicate, and there is no table. A million IDs of 15 bytes take 24 MB; a `Set`
 * of strings takes 120. IDs with the same hash are compared byte by byte, so even a weak hash neither loses nor repeats
 * an ID.
 */
export function createIdSet(hash: Hash) {
  const store = createIdStore();
  let slots: Uint32Array | undefined;
  let fewestSlots = FEWEST_SLOTS;
  let size = 0;

  /** Returns the slot that contains the position of this ID, or the free slot for it. */
  function findSlot(table: Uint32Array, bytes: Uint8Array, start: number, end: number, isNew = false): number {
    const mask = table.length - 1;
    let slot = hash(bytes, start, end) & mask;
    for (let place = table[slot]; place; place = table[slot]) {
      if (!isNew && store.holds(place, bytes, start, end)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  function buildTable(count: number): Uint32Array {
    const table = new Uint32Array(count);
    store.each((place, bytes, start, end) => {
      table[findSlot(table, bytes, start, end, true)] = place;
    });
    return table;
  }

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
    /** Adds an ID, given as UTF-8 from `start` up to `end`. Returns false if the set already contains it. */
    add(bytes: Uint8Array, start: number, end: number) {
      if (!slots && store.follows(bytes, start, end)) return addUnseen(bytes, start, end) > 0;
      slots ??= buildTable(slotsFor(size + 1, fewestSlots));
      const slot = findSlot(slots, bytes, start, end);
      if (slots[slot] !== 0) return false;
      slots[slot] = addUnseen(bytes, start, end);
      if (isFull(size, slots.length)) slots = buildTable(2 * slots.length);
      return true;
    },
    /** Reserves memory for the expected count; growing later costs as much as adding. */
    expect(count: number) {
      fewestSlots = slotsFor(Math.min(count, MOST_EXPECTED / 2), fewestSlots);
      if (slots && fewestSlots > slots.length) slots = buildTable(fewestSlots);
    },
  };
}

function isFull(count: number, slots: number): boolean {
  return 4 * count > 3 * slots;
}

function slotsFor(count: number, fewest: number): number {
  let slots = fewest;
  while (isFull(count, slots)) slots *= 2;
  return slots;
}

/** Returns FNV-1a with a random seed: a service cannot send IDs that all collide. */
export function seededIdHash(seed: number): Hash {
  return (bytes, start, end) => {
    let hash = seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    return hash ^ (hash >>> 15);
  };
}
