import type { Journal } from "./journal.ts";

const SHORT = 8;

/** Returns what shortens the IDs of runs to starts that no other run of the journal has: eight digits, or more. */
export async function shortRuns(journal: Journal, runs: Iterable<string>): Promise<(run: string) => string> {
  const known = new Set(runs);
  const starts = startsOf(known);
  for await (const { run } of journal.newestFirst(undefined, { mayRound: true, runs: starts })) known.add(run);
  const count = (size: number) => new Set([...known].map((run) => run.slice(0, size))).size;
  let length = SHORT;
  while (count(length) < known.size) length++;
  return (run) => run.slice(0, length);
}

/** Returns the starts of runs by which a journal finds their lines. */
export function startsOf(runs: Iterable<string>): ReadonlySet<string> {
  return new Set(Array.from(runs, (run) => run.slice(0, SHORT)));
}
