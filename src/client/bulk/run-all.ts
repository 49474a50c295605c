import { type RelayctlError, recover } from "../../errors.ts";
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
  return await recover(running(), (error) => ({ id, error }));
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
