import { DEEP } from "../../../helpers/deep.ts";
import { figure } from "../../../helpers/figure.ts";

/** Each signal with its exit code. */
export const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

/** Whether a moment, by its number, is tried with a signal: with one of them in turn, and with all in a deep run. */
export function isTried(signal: (typeof SIGNALS)[number][0], moment: number): boolean {
  return DEEP || SIGNALS[moment % SIGNALS.length]?.[0] === signal;
}

/** Counts the tests of a group as combinations of a signal, a moment, and a command. */
export function countCombinations(): void {
  afterEach(({ task }) => {
    figure("signals: combinations with a moment and a command", 1);
    figure("signals: false claims and hangs", task.result?.state === "pass" ? 0 : 1);
  });
}
