import { createSharedEnds } from "../../client/attempt/shared-ends.ts";
import { createThrottle } from "../../client/attempt/throttle.ts";
import type { Client } from "../../client/client.ts";
import type { Call } from "../call.ts";
import type { Session } from "../session/session.ts";
import { type Job, type Run, runAll } from "./run.ts";

/** The rate of many writes. */
export interface WriteThrottle {
  concurrency: number;
  /** The minimum milliseconds between two requests, including retries and reads after a write. */
  interval: number;
}

/** Sends many writes, several at a time. All of them end if the service asks to wait longer than the remaining time. */
export function runWrites<T>(
  { app: { clock, interrupt } }: Pick<Call, "app">,
  session: Session,
  { concurrency, interval }: WriteThrottle,
  jobsOver: (client: Client) => readonly Job<T>[],
): Run<T> {
  const client = session.inBulk({ throttle: createThrottle(clock, interval), ends: createSharedEnds(clock) });
  const endsAll = ({ failure }: { failure: string }) => failure === "rate_limited";
  const run = runAll(jobsOver(client), { concurrency, interrupt, endsAll });
  const done = run.done.finally(() => session.recorded());
  // The caller may read only the results, which end with the same error.
  done.catch(() => {});
  return { ...run, done };
}
