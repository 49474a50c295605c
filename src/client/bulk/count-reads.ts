import type { Clock } from "../clock.ts";
import { type BulkCounts, type Job, type Run, type RunBounds, runAll } from "./run-all.ts";

interface CountedReads extends Pick<RunBounds, "concurrency" | "interrupt"> {
  clock: Pick<Clock, "elapsed">;
  /** Called with the counts; with undefined once all have ended. */
  count?: ((counts: BulkCounts | undefined) => void) | undefined;
}

export function countReads<T>(jobs: readonly Job<T>[], { concurrency, interrupt, clock, count }: CountedReads): Run<T> {
  const counts = { doing: "reading", of: jobs.length, done: 0, failed: 0, since: clock.elapsed() };
  if (jobs.length > 1) count?.(counts);
  const run = runAll(jobs, {
    concurrency,
    interrupt,
    ended: ({ error }) => void (error ? counts.failed++ : counts.done++),
  });
  const done = run.done.finally(() => count?.(undefined));
  // The caller may read only the results, which end with the same error.
  done.catch(() => {});
  return { ...run, done };
}
