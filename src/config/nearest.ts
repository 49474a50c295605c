/** With more letters wrong it is another word, not a mistyped one. */
const MOST = 3;

/** The known name that was meant, by the number of letters to change. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = MOST + 1;
  for (const candidate of known) {
    const distance = distanceOf(name, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Levenshtein's distance. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
