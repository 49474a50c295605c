const MIB = 2 ** 20;

/** How much of what a service sends may be in memory. Nothing of it may ever end in V8's own abort. */
export interface MemoryBudget {
  /** Bytes of a list that may be held in V8's heap. */
  held: number;
  /** Bytes of the pages that may be held or in progress at the same time. */
  pages: number;
  /** Bytes of one response; one of a list may be larger. */
  response: number;
  listResponse: number;
  /** JSON values in one response: one of two bytes takes seventy when it is read. */
  values: number;
  listValues: number;
}

const FULL: MemoryBudget = {
  held: 256 * MIB,
  pages: 64 * MIB,
  response: 8 * MIB,
  listResponse: 64 * MIB,
  values: 1_000_000,
  listValues: 4_000_000,
};
/** The ids that were seen are not in V8's heap. */
export const MOST_HELD = FULL.held;
/** V8 counts its young generation in the limit of the heap: 48 MiB on Node 20, 192 on Node 24. Nothing is held there. */
const YOUNG = 192 * MIB;
const LEAST = 16 * MIB;

/**
 * Half of the heap, and no more than anybody needs.
 * @param heapLimit what V8 allows the heap, in bytes
 */
export function roomIn(heapLimit: number): MemoryBudget {
  const held = Math.min(FULL.held, Math.max(LEAST, (heapLimit - YOUNG) / 2));
  if (held === FULL.held) return FULL;
  return {
    held,
    pages: held / 4,
    response: Math.min(FULL.response, held / 8),
    listResponse: held / 8,
    values: Math.min(FULL.values, held / 128),
    listValues: held / 128,
  };
}

/** A response of this size fits into any heap, however large that is: finding out takes a tenth of a short list's time. */
const ALWAYS_FITS = MIB / 2;

/** The bounds for a response of this size, or for pages of which the largest has it. */
export function memoryBudgetFor(response: number, heapLimit: () => number): MemoryBudget {
  return response <= ALWAYS_FITS ? FULL : roomIn(heapLimit());
}
