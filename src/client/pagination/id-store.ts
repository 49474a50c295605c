/** The first chunk of memory, and the largest: each has twice the bytes of the one before it. */
const [FIRST, CHUNK] = [2 ** 10, 2 ** 18];
const MOST_PLACES = 2 ** 32;
/** Terminates an ID; no byte of UTF-8 has this value. */
const END = 0xff;

type Visit = (place: number, bytes: Uint8Array, start: number, end: number) => void;

/** IDs as consecutive bytes in a few large chunks of memory. A position is above 0 and below 2^32. */
export interface IdStore {
  /** The memory in use. */
  readonly bytes: number;
  /** Adds an ID and returns its position. */
  add(bytes: Uint8Array, start: number, end: number): number;
  holds(place: number, bytes: Uint8Array, start: number, end: number): boolean;
  /** Returns whether an ID comes after the one that was added last, in the order of their bytes. */
  follows(bytes: Uint8Array, start: number, end: number): boolean;
  /** Visits the IDs in the order in which they were added. */
  each(visit: Visit): void;
}

interface Chunk {
  bytes: Uint8Array;
  used: number;
}

export function createIdStore(): IdStore {
  let last: Chunk = { bytes: new Uint8Array(FIRST).fill(END, 0, 1), used: 1 };
  /** Where the ID that was added last starts in the last chunk. */
  let lastStart = 0;
  const chunks = [last];
  let taken = FIRST;

  /** Adds a chunk. An ID longer than a chunk gets a separate one, which still uses one chunk's range of positions. */
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
    add(bytes, start, end) {
      makeRoom(end - start + 1);
      const { bytes: held, used } = last;
      lastStart = used;
      let to = used;
      for (let at = start; at < end; at++) held[to++] = bytes[at] ?? 0;
      held[to++] = END;
      last.used = to;
      return (chunks.length - 1) * CHUNK + used;
    },
    holds(place, bytes, start, end) {
      const held = chunks[Math.floor(place / CHUNK)]?.bytes;
      if (!held) return false;
      let from = place % CHUNK;
      for (let at = start; at < end; at++) if (held[from++] !== bytes[at]) return false;
      return held[from] === END;
    },
    follows(bytes, start, end) {
      const held = last.bytes;
      let from = lastStart;
      for (let at = start; at < end; at++, from++) {
        if (held[from] !== bytes[at]) return held[from] === END || (held[from] ?? 0) < (bytes[at] ?? 0);
      }
      return false;
    },
    each(visit) {
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
