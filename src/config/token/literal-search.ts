/** The bits of the number that stands for a pair of bytes. */
const BITS = 13;
const [HIGH, MASK] = [BITS - 8, 2 ** BITS - 1];
/** The bytes at the start of a text by which it is searched for: the length of a step is kept in one byte. */
const LONGEST = 256;

/**
 * Returns a function that finds out whether bytes contain one of some texts, each of at least two bytes. It reads two
 * bytes of each stretch that is as long as the shortest text, and steps on as far as no text with them can begin.
 */
export function createLiteralSearch(texts: readonly Uint8Array[]): (bytes: Uint8Array) => boolean {
  if (texts.length === 0) return () => false;
  const length = Math.min(LONGEST, ...texts.map((text) => text.length));
  const steps = new Uint8Array(MASK + 1).fill(length - 1);
  for (const text of texts)
    for (let at = 1; at < length; at++) {
      const pair = pairAt(text, at);
      steps[pair] = Math.min(steps[pair] as number, length - 1 - at);
    }
  return (bytes) => {
    let at = length - 1;
    while (at < bytes.length) {
      const step = steps[pairAt(bytes, at)] as number;
      if (step === 0 && texts.some((text) => isAt(text, bytes, at - length + 1))) return true;
      at += step || 1;
    }
    return false;
  };
}

/** Returns a number of the two bytes up to a position, which other bytes may share. */
function pairAt(bytes: Uint8Array, at: number): number {
  return (((bytes[at] as number) << HIGH) ^ (bytes[at - 1] as number)) & MASK;
}

function isAt(text: Uint8Array, bytes: Uint8Array, start: number): boolean {
  let equal = 0;
  while (equal < text.length && bytes[start + equal] === text[equal]) equal++;
  return equal === text.length;
}
