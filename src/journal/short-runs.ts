import type { Journal } from "./journal.ts";

const SHORT = 8;

/** Returns what shortens the IDs of runs to starts that no other run of the journal has: eight digits, or more. */
export async function shortRuns(journal: Journal, runs: Iterable<string>): Promise<(run: string) => string> {
  const known = new Set(runs);
  const starts = new Set([...known].map((run) => run.slice(0, SHORT)));
  for await (const { run } of journal.newestFirst(undefined, { mayRound: true, runs: starts })) known.add(run);
  const count = (size: number) => new Set([...known].map((run) => run.slice(0, size))).size;
  let length = SHORT;
  while (count(length) < known.size) length++;
  return (run) => run.slice(0, length);
}
