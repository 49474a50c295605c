import { receivedTime } from "../../contract/reply/received-time.ts";
import { FIRST_BACKOFF, LONGEST_BACKOFF, RATE_LIMIT_BACKOFF } from "../../timing.ts";
import type { Clock, Random } from "../clock.ts";
import type { Outcome } from "./outcome.ts";

/** Returns the milliseconds before the next attempt: as requested, or a random part of a doubling span. */
export function backoffBefore(outcome: Outcome, attempts: number, clock: Clock, random: Random): number {
  const jitter = random.fraction() * Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (attempts - 1));
  return Math.ceil(jitter + (outcome.fault === "limited" ? leastBackoff(outcome, clock) : 0));
}

/** Returns the milliseconds during which no request may be sent to a service that refused by rate. */
export function leastBackoff({ reply }: Outcome & { fault: "limited" }, clock: Pick<Clock, "now">): number {
  return (retryAfter(reply.headers["retry-after"], clock.now()) ?? 0) + RATE_LIMIT_BACKOFF;
}

const DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns the milliseconds of a `Retry-After` header: digits, or a date that has not passed. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^[0-9]{1,10}$/.test(header)) return Number(header) * 1000;
  if (!DATE.test(header)) return undefined;
  const until = receivedTime(header) - now;
  return until > 0 ? until : undefined;
}
