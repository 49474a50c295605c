import { RelayctlError } from "../../errors.ts";
import { FIRST_INTERVAL, LONGEST_INTERVAL, REFUSAL_NOTES, TIMER_LATENESS } from "../../timing.ts";
import type { Clock } from "../clock.ts";
import { attemptTimeText } from "./failed-attempt.ts";

/** Limits when requests may leave: after a rate limit, all of them slow down to the accepted rate. */
export type Throttle = ReturnType<typeof createThrottle>;

/** Factor for a rate a little slower than the accepted one, so that the next refusal does not follow at once. */
const MARGIN = 1.05;
/** The factor by which the interval shrinks per accepted request, while the rate is a guess and once it is known. */
const [WHILE_GUESSED, ONCE_KNOWN] = [0.995, 0.999];

/** @param least the minimum milliseconds between two requests, even if the service accepts more */
export function createThrottle(clock: Pick<Clock, "now" | "elapsed" | "sleep">, least = 0) {
  let opensAt = 0;
  let closedUntil = 0;
  let interval = least;
  let slowedAt: number | undefined;
  let shrinks = WHILE_GUESSED;
  let passed = 0;
  const notes = createRefusalNotes();

  /** Estimates the rate by the requests accepted between two refusals, at both of which the bucket was empty. */
  function slowDown(now: number): void {
    const measured = slowedAt === undefined ? FIRST_INTERVAL : (MARGIN * (now - slowedAt)) / Math.max(passed, 1);
    if (slowedAt !== undefined) shrinks = ONCE_KNOWN;
    interval = Math.max(Math.min(measured, LONGEST_INTERVAL), least);
    slowedAt = now;
    passed = 0;
  }

  /** After an idle period the next request waits the full interval; a late timer slows nothing down. */
  function leave(now: number): number {
    opensAt = (now - opensAt > TIMER_LATENESS ? now : opensAt) + interval;
    return now;
  }

  async function wait(signal: AbortSignal, most: () => number): Promise<number> {
    while (!signal.aborted && clock.elapsed() < opensAt && most() > 0) {
      refuseLongWait(clock, closedUntil, most());
      await clock.sleep(Math.min(opensAt - clock.elapsed(), most()), signal);
    }
    return leave(clock.elapsed());
  }

  return {
    /** @param most the milliseconds that are left, and the longest wait that a service may ask for */
    turn(signal: AbortSignal, most: () => number): number | Promise<number> {
      const now = clock.elapsed();
      return now < opensAt ? wait(signal, most) : leave(now);
    },
    passed(): void {
      passed++;
      notes.passed();
      interval = Math.max(interval * shrinks, least);
    },
    /** Reports that the request sent at `left` was refused with a 429; no request leaves for `wait` milliseconds. */
    refused(left: number, wait: number): void {
      const now = clock.elapsed();
      notes.refused(now);
      closedUntil = Math.max(closedUntil, now + wait);
      opensAt = Math.max(opensAt, closedUntil);
      // A request that left before the last slowdown adds no information.
      if (left >= (slowedAt ?? 0)) slowDown(now);
    },
    isNoted: (wait: number) => notes.isDue(clock.elapsed(), wait),
  };
}

function refuseLongWait(clock: Pick<Clock, "now" | "elapsed">, closedUntil: number, most: number): void {
  const wait = closedUntil - clock.elapsed();
  if (wait <= 0 || wait < most) return;
  throw new RelayctlError("rate_limited", "the service rejects every request", {
    because: [`the service asks to wait until ${attemptTimeText(clock.now() + wait)}`, "the request was not sent"],
  });
}

function createRefusalNotes() {
  /** Since when every request was refused, and until when that needs no further note. */
  let [refusedSince, notedUntil] = [Number.POSITIVE_INFINITY, 0];
  return {
    passed() {
      refusedSince = Number.POSITIVE_INFINITY;
    },
    refused(now: number) {
      refusedSince = Math.min(refusedSince, now);
    },
    /** Returns whether a user should hear of a wait: after it, no request has passed for seconds. Once a minute. */
    isDue(now: number, wait: number): boolean {
      if (now < notedUntil || now + wait - refusedSince < REFUSAL_NOTES.after) return false;
      notedUntil = now + REFUSAL_NOTES.every;
      return true;
    },
  };
}
