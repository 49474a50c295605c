import { grouped } from "../../contract/decimal.ts";
import { type Applied, type Failure, type Problem, RelayctlError } from "../../errors.ts";
import type { Completed } from "./run.ts";

/**
 * Returns the error for a command that did not take effect on all targets, with every failed one; undefined if it did.
 * Some targets failed and some did not: `partial`. If nothing took effect and all failures are the same, that failure
 * is used, so that its code keeps its promise that nothing was applied. Unchanged targets do not count.
 * @param noun of the targets, e.g. `relayers`
 * @param writes false if nothing could be applied
 */
export function failureOfMany<T>(
  completed: readonly Completed<T>[],
  noun: string,
  interrupt: AbortSignal,
  writes = true,
): RelayctlError | undefined {
  const missed = completed.filter(({ value }) => value === undefined);
  if (missed.length === 0) return undefined;
  const details = missed.map(detailOf);
  const [first, ...more] = details;
  const hint = hintOf(missed);
  return new RelayctlError(wordFor(completed, interrupt), messageOf(missed, completed.length, noun, interrupt), {
    applied: writes ? appliedOf(completed) : "no",
    details,
    // A single problem is not listed below its error.
    because: first && more.length === 0 ? [`${first.where}: ${first.rule}`] : [],
    ...(hint !== undefined && { hint }),
    cause: causeOf(missed),
    retryable: missed.every(({ error }) => error === undefined || error.retryable),
  });
}

/** Returns the refusal that is easiest to explain: a conflict, e.g. of a disabled relayer, or the first one. */
function causeOf<T>(missed: readonly Completed<T>[]): RelayctlError | undefined {
  const errors = missed.flatMap(({ error }) => error ?? []);
  return errors.find(({ failure }) => failure === "conflict") ?? errors[0];
}

/** Returns the hint of a target that may have been applied, if there is one: it must be checked first. */
function hintOf<T>(missed: readonly Completed<T>[]): string | undefined {
  const errors = missed.flatMap(({ error }) => error ?? []);
  return (errors.find(({ applied }) => applied !== "no") ?? errors.find(({ hint }) => hint !== undefined))?.hint;
}

/** Returns `interrupted: 24 of 4,000 relayers done, 3 failed, 3,973 not started` */
function messageOf<T>(missed: readonly Completed<T>[], all: number, noun: string, { aborted }: AbortSignal): string {
  const unsent = missed.filter(({ error }) => error === undefined).length;
  const failed = missed.length - unsent;
  const rest = unsent === 0 ? [] : [`${grouped(unsent)} not started`];
  if (!aborted) return [`${grouped(failed)} of ${grouped(all)} ${noun} failed`, ...rest].join(", ");
  const done = `${grouped(all - missed.length)} of ${grouped(all)} ${noun} done`;
  return `interrupted: ${[done, ...(failed === 0 ? [] : [`${grouped(failed)} failed`]), ...rest].join(", ")}`;
}

function detailOf<T>({ id, error }: Completed<T>): Problem {
  if (!error) return { where: id, rule: "nothing was sent" };
  return { where: id, given: error.failure, rule: [error.message, ...error.because].join("; ") };
}

function wordFor<T>(completed: readonly Completed<T>[], { aborted }: AbortSignal): Failure {
  if (aborted) return "interrupted";
  const [first, ...others] = new Set(completed.flatMap(({ error }) => error?.failure ?? []));
  return first !== undefined && others.length === 0 && !completed.some(tookEffect) ? first : "partial";
}

/** Returns the outcome of all targets: unknown if any is unknown, applied if any was applied. */
export function appliedOf<T>(completed: readonly Completed<T>[]): Applied {
  const each = completed.map((one) => (tookEffect(one) ? "yes" : (one.error?.applied ?? "no")));
  return (["unknown", "yes"] as const).find((applied) => each.includes(applied)) ?? "no";
}

function tookEffect<T>({ value, already }: Completed<T>): boolean {
  return value !== undefined && already !== true;
}
