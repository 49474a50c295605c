const MIB = 2 ** 20;

/** Limits on response data in memory, so that V8 never aborts the process. */
export interface MemoryBudget {
  /** Bytes of a list that may be held in V8's heap. */
  held: number;
  /** Bytes of pages that may be held or in progress at the same time. */
  pages: number;
  /** Bytes of one response; a list response may be larger. */
  response: number;
  listResponse: number;
  /** JSON values in one response: a value of two bytes takes seventy once parsed. */
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
/** The most bytes of a list that may be held. The set of seen IDs is not in V8's heap. */
export const MOST_HELD = FULL.held;
/** V8 counts its young generation in the heap limit: 48 MiB on Node 20, 192 on Node 24. No response stays there. */
const YOUNG = 192 * MIB;
const LEAST = 16 * MIB;

/** Returns the budget for a heap: half of it, up to a fixed maximum. @param heapLimit V8's heap limit in bytes */
export function memoryBudgetIn(heapLimit: number): MemoryBudget {
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

/** A response of this size fits into any heap. Reading the heap limit takes a tenth of the time of a short list. */
const ALWAYS_FITS = MIB / 2;

/** Returns the bounds for a response of this size, or for pages whose largest has this size. */
export function memoryBudgetFor(response: number, heapLimit: () => number): MemoryBudget {
  return response <= ALWAYS_FITS ? FULL : memoryBudgetIn(heapLimit());
}
