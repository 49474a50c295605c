import { createSharedEnds } from "../../client/attempt/shared-ends.ts";
import { createThrottle } from "../../client/attempt/throttle.ts";
import type { Client } from "../../client/client.ts";
import type { Call } from "../call.ts";
import type { Session } from "../session/session.ts";
import { type Job, type Run, runAll } from "./run.ts";

/** How fast many writes are sent. */
export interface WriteThrottle {
  concurrency: number;
  /** The least time between two requests, in milliseconds. It holds for what is sent again and for what is read back, too. */
  interval: number;
}

/** Sends many writes, several at a time. A service that asks to wait for longer than there is time ends all of them. */
export function runWrites<T>(
  { app: { clock, interrupt } }: Pick<Call, "app">,
  session: Session,
  { concurrency, interval }: WriteThrottle,
  jobsOver: (client: Client) => readonly Job<T>[],
): Run<T> {
  const client = session.inBulk({ throttle: createThrottle(clock, interval), ends: createSharedEnds(clock) });
  const endsAll = ({ failure }: { failure: string }) => failure === "rate_limited";
  return runAll(jobsOver(client), { concurrency, interrupt, endsAll });
}
