/** The most wrong letters of a typo. */
const MOST = 3;
/** Longer words are not compared: the time for it grows with their length, and a file may have thousands. */
const LONGEST = 100;

/** Returns the known name that was probably meant: the nearest, or a name that the given name begins or ends. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = MOST + 1;
  for (const candidate of known) {
    const distance = computeDistance(name.toLowerCase(), candidate.toLowerCase());
    const isClose = distance < least && distance * 2 < Math.max(name.length, candidate.length);
    if (isClose) [best, least] = [candidate, distance];
  }
  return best ?? (name.length < MOST ? undefined : known.find((candidate) => isPart(name, candidate)));
}

/** Returns whether `name` is a part of `whole`: `gas_price` of `gas_price_cap`, `min` of `policies.min`. */
function isPart(name: string, whole: string): boolean {
  return whole.startsWith(name) || whole.endsWith(`.${name}`);
}

const SHORT_LIST = 12;

/** Returns the names to choose from: all if they are few, otherwise the three most similar. */
export function nearestChoice(given: readonly string[], known: readonly string[]): string {
  if (known.length <= SHORT_LIST) return `${didYouMean(given, known)}; known: ${known.join(", ")}`;
  const wanted = given.map((name) => name.toLowerCase());
  const likeness = (candidate: string) =>
    Math.min(...wanted.map((name) => editDistance(name, candidate.toLowerCase())));
  const ranked = known.map((candidate) => ({ candidate, rank: likeness(candidate) }));
  const closest = ranked.sort((one, other) => one.rank - other.rank).slice(0, 3);
  return `; closest: ${closest.map(({ candidate }) => candidate).join(", ")}`;
}

/** Returns the share of letters that differ, of the whole name or of its last part. */
function editDistance(name: string, candidate: string): number {
  const share = (part: string) => computeDistance(name, part) / Math.max(name.length, part.length, 1);
  if (name.length >= MOST && candidate.includes(name)) return 0.01 * candidate.length * share(candidate);
  return Math.min(share(candidate), share(candidate.slice(candidate.lastIndexOf(".") + 1)));
}

/** Returns ` (did you mean fast?)`, or an empty string if no known word is close. */
export function didYouMean(given: readonly string[], known: readonly string[]): string {
  const meant = given.flatMap((word) => nearestName(word, known) ?? []);
  return meant.length === 0 ? "" : ` (did you mean ${meant.join(", ")}?)`;
}

/** Returns the problem text for a word that is not allowed. */
export function oneOf(given: string, allowed: readonly string[]): string {
  const words = allowed.length === 1 ? `only ${allowed[0]}` : `one of ${allowed.join(", ")}`;
  return words + didYouMean([given], allowed);
}

/** Returns the inserted, removed, changed, or swapped letters (optimal string alignment). */
function computeDistance(from: string, to: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)];
  if (from.length > LONGEST) return from.length;
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const changed = (last[j - 1] as number) + (isSame ? 0 : 1);
      let least = Math.min(changed, (last[j] as number) + 1, (row[j - 1] as number) + 1);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[to.length] as number;
}
