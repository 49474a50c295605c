import { RelayctlError } from "../../errors.ts";
import type { Clock } from "../clock.ts";
import { timeOf } from "./failed.ts";

/**
 * When requests may leave. Everything that a client sends asks here first, so that after a refusal by rate all of it slows
 * down together, to what the service lets through.
 */
export interface Throttle {
  /**
   * Waits until a request may leave, and gives the moment. Ends early when the signal is aborted.
   * @param most the milliseconds for which a service may ask to be left alone
   * @throws RelayctlError rate_limited when it asks for more
   */
  turn(signal: AbortSignal, most: () => number): Promise<number>;
  /** A request was let through. */
  passed(): void;
  /** The request that left at the moment `left` was refused by a 429; nothing leaves for so many milliseconds. */
  refused(left: number, wait: number): void;
}

/** Milliseconds between requests after the first refusal: by default the service allows 100 per second (facts 1.3). */
const FIRST_INTERVAL = 10;
const LONGEST_INTERVAL = 1_000;
/** A little slower than what was let through, so that the next refusal does not follow at once. */
const MARGIN = 1.05;
/** How much of the gap is left after each request that passed: the rate was guessed, or is known. */
const [WHILE_GUESSED, ONCE_KNOWN] = [0.995, 0.999];

/** Milliseconds by which a timer of a busy process wakes late. Who comes later than that was not held back by a timer. */
const LATENESS = 5;

/** @param least the least milliseconds between two requests, whatever the service lets through */
export function createThrottle(clock: Pick<Clock, "now" | "elapsed" | "sleep">, least = 0): Throttle {
  let opensAt = 0;
  let closedUntil = 0;
  let interval = least;
  let slowedAt: number | undefined;
  let shrinks = WHILE_GUESSED;
  let passed = 0;

  /** A service fills its bucket at a steady rate. It was empty at each of two refusals: what passed between them is what it filled. */
  function slowDown(now: number): void {
    const measured = slowedAt === undefined ? FIRST_INTERVAL : (MARGIN * (now - slowedAt)) / Math.max(passed, 1);
    if (slowedAt !== undefined) shrinks = ONCE_KNOWN;
    interval = Math.max(Math.min(measured, LONGEST_INTERVAL), least);
    slowedAt = now;
    passed = 0;
  }

  function refuseLongWait(most: number): void {
    const wait = closedUntil - clock.elapsed();
    if (wait <= 0 || wait < most) return;
    throw new RelayctlError("rate_limited", "the service lets no request through", {
      because: [`the service asks to wait until ${timeOf(clock.now() + wait)}`, "nothing was applied"],
    });
  }

  return {
    async turn(signal, most) {
      while (!signal.aborted && clock.elapsed() < opensAt) {
        refuseLongWait(most());
        await clock.sleep(opensAt - clock.elapsed(), signal);
      }
      const now = clock.elapsed();
      // After a pause the next one waits its whole gap; a timer that woke late slows nothing down.
      opensAt = (now - opensAt > LATENESS ? now : opensAt) + interval;
      return now;
    },
    passed() {
      passed++;
      interval = Math.max(interval * shrinks, least);
    },
    refused(left, wait) {
      const now = clock.elapsed();
      closedUntil = Math.max(closedUntil, now + wait);
      opensAt = Math.max(opensAt, closedUntil);
      // One that left before the last slowing down tells nothing new.
      if (left >= (slowedAt ?? 0)) slowDown(now);
    },
  };
}
