const [BLOCK, IN_BLOCK] = [8, 0xff];

/** Caches a slow function of a code point. @param traitOf returns an integer from 0 to 254 */
export function createRemembered(traitOf: (character: string) => number): (codePoint: number) => number {
  const blocks: Uint8Array[] = [];
  return (codePoint) => {
    const at = codePoint >> BLOCK;
    const block = blocks[at] ?? new Uint8Array(IN_BLOCK + 1);
    const found = block[codePoint & IN_BLOCK] ?? 0;
    if (found > 0) return found - 1;
    const trait = traitOf(String.fromCodePoint(codePoint));
    block[codePoint & IN_BLOCK] = trait + 1;
    blocks[at] = block;
    return trait;
  };
}
