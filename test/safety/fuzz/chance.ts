/** Chance that begins at a seed: the same seed gives the same choices. */
export interface Chance {
  /** A whole number from 0 up to but not including this. */
  below(limit: number): number;
  /** True once in so many times. */
  once(times: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Up to so many of them. */
  some<T>(list: readonly T[], most: number): T[];
  /** A text of any characters. */
  text(most: number): string;
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  // mulberry32
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(fraction() * limit);
  const pick = <T>(list: readonly T[]) => list[below(list.length)] as T;
  return {
    below,
    once: (times) => below(times) === 0,
    pick,
    some: (list, most) => Array.from({ length: below(most + 1) }, () => pick(list)),
    text: (most) =>
      Array.from({ length: below(most + 1) }, () => String.fromCodePoint(pick(RANGES) + below(96))).join(""),
  };
}

/** Where 96 characters begin of which some act, hide, combine, or need more than one unit. */
const RANGES = [0, 0x20, 0x20, 0x20, 0x80, 0x300, 0x2000, 0x2028, 0x3042, 0xfe00, 0x1f600, 0xe0000] as const;
