const CODE_POINTS = 0x110000;

/**
 * Caches a function of a code point. The function, which may be as slow as a regular expression of Unicode properties,
 * is called once for each code point.
 * @param traitOf returns an integer from 0 to 254
 */
export function remembered(traitOf: (character: string) => number): (codePoint: number) => number {
  let known: Uint8Array | undefined;
  return (codePoint) => {
    known ??= new Uint8Array(CODE_POINTS);
    const found = known[codePoint] ?? 0;
    if (found > 0) return found - 1;
    const trait = traitOf(String.fromCodePoint(codePoint));
    known[codePoint] = trait + 1;
    return trait;
  };
}
