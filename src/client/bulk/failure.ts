import { firstNames, grouped } from "../../contract/decimal.ts";
import { groupBy } from "../../contract/group-by.ts";
import {
  type Applied,
  appliedTogether,
  EXIT_CODES,
  type Failure,
  type Problem,
  problemText,
  RelayctlError,
} from "../../errors.ts";
import type { Completed } from "./run-all.ts";

/**
 * Returns the error for a command that did not take effect on all targets, with every failed one; undefined if it did.
 * If some targets failed and some did not, the error is `partial`. Unchanged targets don't count.
 * @param noun of the targets, e.g. `relayers`
 * @param options `writes` is false if nothing could be applied; `done` is the verb's participle, e.g. `paused`;
 * `isRepeatable` is false if the same command would change the reached targets again
 */
export function bulkFailure<T>(
  ended: readonly Completed<T>[],
  noun: string,
  interrupt: AbortSignal,
  {
    writes = true,
    done = writes ? "done" : "read",
    isRepeatable = true,
  }: { writes?: boolean; done?: string; isRepeatable?: boolean } = {},
): RelayctlError | undefined {
  const completed = interrupt.aborted ? ended.map(asNotStarted) : ended;
  const missed = completed.filter(({ value }) => value === undefined);
  if (missed.length === 0) return undefined;
  const details = missed.map(buildDetail);
  const [first, ...more] = details;
  const needed = completed.filter(({ already }) => !already).length;
  const errors = missed.flatMap(({ error }) => error ?? []);
  const hint = (errors.find(({ applied }) => applied !== "no") ?? errors.find((each) => each.hint !== undefined))?.hint;
  return new RelayctlError(
    wordFor(completed, interrupt),
    formatMessage(missed, interrupt.aborted ? needed : completed.length, { noun, done }, interrupt),
    {
      applied: writes ? appliedInBulk(completed) : "no",
      isInterrupted: interrupt.aborted,
      details,
      ...(more.length > 0 && { summary: summarize(missed, interrupt) }),
      // A single problem is not listed below its error.
      because: first && more.length === 0 ? [`${first.where}: ${first.rule}`] : [],
      ...(hint !== undefined && { hint }),
      ...(interrupt.aborted && isRepeatable && { continues: "again" }),
      cause: errors.find(({ failure }) => failure === "conflict") ?? errors[0],
      retryable: missed.every(({ error }) => error === undefined || error.retryable),
    },
  );
}

/** A target whose request was only prepared when the interrupt came was not started. */
function asNotStarted<T>(completed: Completed<T>): Completed<T> {
  const { id, error } = completed;
  return error?.failure === "interrupted" && error.applied === "no" ? { id } : completed;
}

/** Returns `interrupted: 24 of 4,000 relayers paused, 3 failed, 3,973 not started` */
function formatMessage<T>(
  missed: readonly Completed<T>[],
  all: number,
  { noun, done }: { noun: string; done: string },
  { aborted }: AbortSignal,
): string {
  const unsent = missed.filter(({ error }) => error === undefined).length;
  const failed = missed.length - unsent;
  const rest = unsent === 0 ? [] : [`${grouped(unsent)} not started`];
  if (!aborted) return [`${grouped(failed)} of ${grouped(all)} ${noun} failed`, ...rest].join(", ");
  const reached = `${grouped(all - missed.length)} of ${grouped(all)} ${noun} ${done}`;
  return `interrupted: ${[reached, ...(failed === 0 ? [] : [`${grouped(failed)} failed`]), ...rest].join(", ")}`;
}

function buildDetail<T>({ id, error }: Completed<T>): Problem {
  if (!error) return { where: id, rule: "nothing was sent" };
  return { where: id, given: error.failure, rule: [error.message, ...error.because].join("; ") };
}

const MOST_NAMED = 20;

/** Returns the failures by reason, with the names of a few targets that were not started, unless that was intended. */
function summarize<T>(missed: readonly Completed<T>[], { aborted }: AbortSignal): string[] {
  const unsent = missed.filter(({ error }) => error === undefined).map(({ id }) => id);
  return [
    ...bulkProblemsByReason(missed.filter(({ error }) => error !== undefined).map(buildDetail)),
    ...(aborted || unsent.length === 0 || unsent.length > MOST_NAMED ? [] : [`not started: ${unsent.join(", ")}`]),
  ];
}

/** Returns one line for all problems with one failure and reason. @param wordOf names several (default: `failed`) */
export function bulkProblemsByReason(details: readonly Problem[], wordOf = (_: Problem) => "failed"): string[] {
  const groups = groupBy(details, ({ given, rule }) => `${given}\n${rule}`);
  return [...groups.values()].map((group) => groupText(group, wordOf));
}

/** Returns `eth-main-2 conflict: …`, or `3 failed: …: eth-main-1, eth-main-2, eth-main-3`. */
function groupText(group: readonly [Problem, ...Problem[]], wordOf: (problem: Problem) => string): string {
  const [first] = group;
  if (group.length === 1) return problemText(first);
  return `${grouped(group.length)} ${wordOf(first)}: ${first.rule}: ${firstNames(group.map(({ where }) => where))}`;
}

function wordFor<T>(completed: readonly Completed<T>[], { aborted }: AbortSignal): Failure {
  if (aborted) return "interrupted";
  return completed.some(tookEffect) ? "partial" : commonBulkFailure(completed.flatMap(({ error }) => error ?? []));
}

/**
 * Returns the failure of several requests of which none took effect. If nothing can have been applied, its code keeps
 * that promise: it is the first failure that another attempt cannot fix, else the first.
 */
export function commonBulkFailure(errors: readonly RelayctlError[]): Failure {
  const [first = "partial", ...others] = new Set(errors.map(({ failure }) => failure));
  if (others.length === 0) return first;
  if (errors.some(({ applied, exitCode }) => applied !== "no" || exitCode > EXIT_CODES.network)) return "partial";
  return errors.find(({ retryable }) => !retryable)?.failure ?? first;
}

export function appliedInBulk<T>(completed: readonly Completed<T>[]): Applied {
  return appliedTogether(completed.map((one) => (tookEffect(one) ? "yes" : (one.error?.applied ?? "no"))));
}

function tookEffect<T>({ value, already }: Completed<T>): boolean {
  return value !== undefined && already !== true;
}
