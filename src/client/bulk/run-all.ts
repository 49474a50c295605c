import { firstNames, groupDigits } from "../../contract/decimal.ts";
import { groupBy } from "../../contract/group-by.ts";
import {
  type Applied,
  appliedTogether,
  EXIT_CODES,
  type Failure,
  type Problem,
  problemText,
  RelayctlError,
  rescue,
} from "../../errors.ts";
import { runWorkers } from "../run-workers.ts";

export interface Job<T> {
  id: string;
  /** Set if the target needs no change: nothing is sent. */
  already?: true;
  run(): Promise<T>;
}

/** The outcome of a job, without a value or an error if it was not started. */
export interface Completed<T> {
  id: string;
  value?: T;
  /** Set if the target needed no change, and nothing was sent. */
  already?: true;
  error?: RelayctlError;
}

export interface RunBounds {
  concurrency: number;
  /** Stops new jobs; jobs in progress are awaited. */
  interrupt: AbortSignal;
  /** Returns whether a failure applies to all jobs: then no further job starts. A refused token always does. */
  endsAll?(error: RelayctlError): boolean;
  ended?(completed: Completed<unknown>): void;
  /** Awaited before each batch of results, so that all responses that have arrived are in it. */
  beforeBatch?(): Promise<void>;
}

export interface Run<T> {
  size: number;
  /** Yields results in job order, each when it and all earlier ones are done. */
  results: AsyncIterable<Completed<T>>;
  /** Yields the same results, all that are done at a time. Read either `results` or `batches`. */
  batches: AsyncIterable<readonly Completed<T>[]>;
  done: Promise<readonly Completed<T>[]>;
}

/** Runs all jobs, several at a time. A failed job doesn't stop the others, unless its failure applies to all. */
export function runAll<T>(
  jobs: readonly Job<T>[],
  { concurrency, interrupt, endsAll, ended: onEnd, beforeBatch }: RunBounds,
): Run<T> {
  const completed: (Completed<T> | undefined)[] = jobs.map(() => undefined);
  let next = 0;
  let ended = false;
  let hasFailed = false;
  let awaited = 0;
  let arrived = () => {};

  async function work(): Promise<void> {
    while (next < jobs.length && !ended && !interrupt.aborted) {
      const at = next++;
      const job = jobs[at];
      if (!job) return;
      const result = await runJob(job);
      const { error } = result;
      ended ||= error !== undefined && (error.failure === "auth" || endsAll?.(error) === true);
      onEnd?.(result);
      completed[at] = result;
      if (at === awaited) arrived();
    }
  }

  async function all(): Promise<readonly Completed<T>[]> {
    try {
      await runWorkers(Math.min(concurrency, jobs.length), work, () => (ended = true));
      for (const [at, { id }] of jobs.entries()) completed[at] ??= { id };
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      arrived();
    }
    return completed as Completed<T>[];
  }

  async function* inBatches(): AsyncGenerator<readonly Completed<T>[]> {
    while (awaited < jobs.length) {
      while (!completed[awaited] && !hasFailed) await new Promise<void>((resolve) => (arrived = resolve));
      await beforeBatch?.();
      const batch: Completed<T>[] = [];
      for (let result = completed[awaited]; result; result = completed[++awaited]) batch.push(result);
      if (batch.length === 0) await done;
      yield batch;
    }
  }

  async function* inOrder(): AsyncGenerator<Completed<T>> {
    for await (const batch of inBatches()) yield* batch;
  }

  const done = all();
  // The caller of `done` gets the error; the results end with it.
  done.catch(() => {});
  return { size: jobs.length, results: inOrder(), batches: inBatches(), done };
}

async function runJob<T>({ id, already, run }: Job<T>): Promise<Completed<T>> {
  const running = async () => ({ id, value: await run(), ...(already && { already }) });
  return await rescue(running(), (error) => ({ id, error }));
}

export interface BulkVerb {
  doing: string;
  done: string;
}

export const bulkVerbs = {
  pause: { doing: "pausing", done: "paused" },
  resume: { doing: "resuming", done: "resumed" },
  update: { doing: "updating", done: "updated" },
  cancel: { doing: "canceling", done: "canceled" },
  freeze: { doing: "freezing", done: "frozen" },
} as const satisfies Record<string, BulkVerb>;

export interface BulkCounts {
  /** The progress of those in progress, e.g. `20 submitted, 12 mined`. */
  phases?: string;
  /** E.g. `pausing`. */
  doing: string;
  of: number;
  done: number;
  failed: number;
  /** The sum so far, e.g. `12.5 ETH`. */
  sum?: string;
  /** Milliseconds of `elapsed`. */
  since: number;
}

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
  const details = missed.map(problemFor);
  const [first, ...more] = details;
  const needed = completed.filter(({ already }) => !already).length;
  const errors = missed.flatMap(({ error }) => error ?? []);
  const hint = (errors.find(({ applied }) => applied !== "no") ?? errors.find((each) => each.hint !== undefined))?.hint;
  return new RelayctlError(
    failureFor(completed, interrupt),
    failureText(missed, interrupt.aborted ? needed : completed.length, { noun, done }, interrupt),
    {
      applied: writes ? appliedInBulk(completed) : "no",
      isInterrupted: interrupt.aborted,
      details,
      ...(more.length > 0 && { summary: summarizeMissed(missed, interrupt) }),
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
function failureText<T>(
  missed: readonly Completed<T>[],
  all: number,
  { noun, done }: { noun: string; done: string },
  { aborted }: AbortSignal,
): string {
  const unsent = missed.filter(({ error }) => error === undefined).length;
  const failed = missed.length - unsent;
  const rest = unsent === 0 ? [] : [`${groupDigits(unsent)} not started`];
  if (!aborted) return [`${groupDigits(failed)} of ${groupDigits(all)} ${noun} failed`, ...rest].join(", ");
  const reached = `${groupDigits(all - missed.length)} of ${groupDigits(all)} ${noun} ${done}`;
  return `interrupted: ${[reached, ...(failed === 0 ? [] : [`${groupDigits(failed)} failed`]), ...rest].join(", ")}`;
}

function problemFor<T>({ id, error }: Completed<T>): Problem {
  if (!error) return { where: id, rule: "nothing was sent" };
  return { where: id, given: error.failure, rule: [error.message, ...error.because].join("; ") };
}

const MOST_NAMED = 20;

/** Returns the failures by reason, with the names of a few targets that were not started, unless that was intended. */
function summarizeMissed<T>(missed: readonly Completed<T>[], { aborted }: AbortSignal): string[] {
  const unsent = missed.filter(({ error }) => error === undefined).map(({ id }) => id);
  return [
    ...bulkProblemsByReason(missed.filter(({ error }) => error !== undefined).map(problemFor)),
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
  return `${groupDigits(group.length)} ${wordOf(first)}: ${first.rule}: ${firstNames(group.map(({ where }) => where))}`;
}

function failureFor<T>(completed: readonly Completed<T>[], { aborted }: AbortSignal): Failure {
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
