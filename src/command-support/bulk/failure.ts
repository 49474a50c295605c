import { grouped } from "../../contract/decimal.ts";
import { type Applied, type Failure, type Problem, RelayctlError } from "../../errors.ts";
import type { Landed } from "./run.ts";

/**
 * The error for what did not take effect on all of many targets, with every one of them; nothing when it did. Some failed
 * and some did not: `partial`. Nothing took effect, and what failed did so in the same way: that way, so that its code keeps
 * its promise that nothing was applied. What was so already took no part in it.
 * @param noun of the targets, as `relayers`
 * @param writes false where nothing could be applied
 */
export function failureOfMany<T>(
  landed: readonly Landed<T>[],
  noun: string,
  interrupt: AbortSignal,
  writes = true,
): RelayctlError | undefined {
  const missed = landed.filter(({ value }) => value === undefined);
  if (missed.length === 0) return undefined;
  const details = missed.map(detailOf);
  const [first, ...more] = details;
  const hint = hintOf(missed);
  return new RelayctlError(wordFor(landed, interrupt), messageOf(missed, landed.length, noun, interrupt), {
    applied: writes ? appliedOf(landed) : "no",
    details,
    // A single problem is not listed under its error.
    because: first && more.length === 0 ? [`${first.where}: ${first.rule}`] : [],
    ...(hint !== undefined && { hint }),
    cause: causeOf(missed),
    retryable: missed.every(({ error }) => error === undefined || error.retryable),
  });
}

/** The refusal that can be explained best: a conflict, as of a relayer that is disabled, else the first. */
function causeOf<T>(missed: readonly Landed<T>[]): RelayctlError | undefined {
  const errors = missed.flatMap(({ error }) => error ?? []);
  return errors.find(({ failure }) => failure === "conflict") ?? errors[0];
}

/** Of one that may have been applied before any other: that is the one to look at. */
function hintOf<T>(missed: readonly Landed<T>[]): string | undefined {
  const errors = missed.flatMap(({ error }) => error ?? []);
  return (errors.find(({ applied }) => applied !== "no") ?? errors.find(({ hint }) => hint !== undefined))?.hint;
}

/** `interrupted: 24 of 4,000 relayers done, 3 failed, 3,973 not started` */
function messageOf<T>(missed: readonly Landed<T>[], all: number, noun: string, { aborted }: AbortSignal): string {
  const unsent = missed.filter(({ error }) => error === undefined).length;
  const failed = missed.length - unsent;
  const rest = unsent === 0 ? [] : [`${grouped(unsent)} not started`];
  if (!aborted) return [`${grouped(failed)} of ${grouped(all)} ${noun} failed`, ...rest].join(", ");
  const done = `${grouped(all - missed.length)} of ${grouped(all)} ${noun} done`;
  return `interrupted: ${[done, ...(failed === 0 ? [] : [`${grouped(failed)} failed`]), ...rest].join(", ")}`;
}

function detailOf<T>({ id, error }: Landed<T>): Problem {
  if (!error) return { where: id, rule: "nothing was sent" };
  return { where: id, given: error.failure, rule: [error.message, ...error.because].join("; ") };
}

function wordFor<T>(landed: readonly Landed<T>[], { aborted }: AbortSignal): Failure {
  if (aborted) return "interrupted";
  const [first, ...others] = new Set(landed.flatMap(({ error }) => error?.failure ?? []));
  return first !== undefined && others.length === 0 && !landed.some(tookEffect) ? first : "partial";
}

/** One that is not known makes the whole not known; one that was applied makes it applied. */
export function appliedOf<T>(landed: readonly Landed<T>[]): Applied {
  const each = landed.map((one) => (tookEffect(one) ? "yes" : (one.error?.applied ?? "no")));
  return (["unknown", "yes"] as const).find((applied) => each.includes(applied)) ?? "no";
}

function tookEffect<T>({ value, already }: Landed<T>): boolean {
  return value !== undefined && already !== true;
}
