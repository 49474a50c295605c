import { createSharedEnds } from "../../client/attempt/shared-ends.ts";
import { createThrottle } from "../../client/attempt/throttle.ts";
import { type Completed, type Job, type Run, runAll } from "../../client/bulk/run-all.ts";
import type { Client } from "../../client/client.ts";
import type { Session } from "../../session/session.ts";
import type { Call } from "../call.ts";

export interface WriteThrottle {
  concurrency: number;
  /** The minimum milliseconds between two requests, including retries and reads after a write. */
  interval: number;
}

/** How many writes are sent, and what they do. */
export interface Sending extends WriteThrottle {
  /** For the progress, e.g. `pausing`. */
  doing: string;
}

/** Sends many writes, several at a time. All of them end if the service asks to wait longer than the remaining time. */
export function runWrites<T>(
  { app: { clock, interrupt }, count }: Pick<Call, "app" | "count">,
  session: Session,
  { concurrency, interval, doing }: Sending,
  jobsOver: (client: Client) => readonly Job<T>[],
): Run<T> {
  const client = session.inBulk({ throttle: createThrottle(clock, interval), ends: createSharedEnds(clock) });
  const endsAll = ({ failure }: { failure: string }) => failure === "rate_limited";
  const jobs = jobsOver(client);
  const of = jobs.filter(({ already }) => !already).length;
  const counts = { doing, of, done: 0, failed: 0, since: clock.elapsed() };
  const ended = ({ error, already }: Completed<unknown>) => {
    if (error) counts.failed++;
    else if (!already) counts.done++;
  };
  if (of > 1) count(counts);
  const beforeBatch = () => clock.sleep(0);
  const run = runAll(jobs, { concurrency, interrupt, endsAll, ended, beforeBatch });
  const done = run.done.finally(async () => {
    count(undefined);
    await session.recorded();
  });
  // The caller may read only the results, which end with the same error.
  done.catch(() => {});
  return { ...run, done };
}
