/** Whether this is `npm run test:deep`: more of everything, for as long as it takes. */
export const DEEP = process.env.MODE === "deep";

/** Which part a deep run tries of what takes hours as a whole: another number, another part. */
export const PART = DEEP ? partIn(process.env.DEEP_PART) : 0;

function partIn(text = "0"): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Error(`DEEP_PART must be a whole number, and is "${text}"`);
}

/** How many values a property tries: these in `npm test`, and those in a deep run. */
export function runs(quick: number, deep: number): { numRuns: number } {
  return { numRuns: DEEP ? deep : quick };
}

/** Returns all cases in a deep run, and else one of so many, others for each turn. */
export function sampled<const T>(cases: readonly T[], oneIn: number, turn = 0): readonly T[] {
  return DEEP ? cases : cases.filter((_, index) => (index + turn) % oneIn === 0);
}

/** Returns all cases in a deep run, and else those at these places: one of each sort. */
export function chosen<const T>(cases: readonly T[], ...places: readonly number[]): readonly T[] {
  return DEEP ? cases : cases.filter((_, index) => places.includes(index));
}
