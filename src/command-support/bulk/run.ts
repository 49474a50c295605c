import { RelayctlError } from "../../errors.ts";

/** One of many operations, each on another target. */
export interface Job<T> {
  id: string;
  /** Set if the target needs no change: its result is known, and nothing is sent. */
  already?: true;
  run(): Promise<T>;
}

/** The outcome of a job; neither a value nor an error if it was not started. */
export interface Completed<T> {
  id: string;
  value?: T;
  /** Set if the target needed no change, and nothing was sent. */
  already?: true;
  error?: RelayctlError;
}

export interface RunBounds {
  /** The number of jobs in progress at the same time. */
  concurrency: number;
  /** Stops new jobs when aborted; jobs in progress are awaited. */
  interrupt: AbortSignal;
  /** Returns whether a failure applies to all jobs: then no further job starts. A refused token always does. */
  endsAll?(error: RelayctlError): boolean;
  /** Called after each job. */
  ended?(completed: Completed<unknown>): void;
}

export interface Run<T> {
  /** The number of jobs. */
  size: number;
  /** Yields results in job order, each when it and all earlier ones are done. Reading them is optional. */
  results: AsyncIterable<Completed<T>>;
  /** All results, in the same order. */
  done: Promise<readonly Completed<T>[]>;
}

/** Runs all jobs, several at a time. A failed job leaves the others alone, unless its failure applies to all. */
export function runAll<T>(
  jobs: readonly Job<T>[],
  { concurrency, interrupt, endsAll, ended: onEnd }: RunBounds,
): Run<T> {
  const slots = jobs.map(() => slot<Completed<T>>());
  let next = 0;
  let ended = false;

  async function work(): Promise<void> {
    while (next < jobs.length && !ended && !interrupt.aborted) {
      const at = next++;
      const job = jobs[at];
      if (!job) return;
      const completed = await runJob(job);
      ended ||=
        completed.error !== undefined && (completed.error.failure === "auth" || endsAll?.(completed.error) === true);
      onEnd?.(completed);
      slots[at]?.settle(completed);
    }
  }

  async function all(): Promise<readonly Completed<T>[]> {
    await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, work));
    for (const [at, { id }] of jobs.entries()) slots[at]?.settle({ id });
    return await Promise.all(slots.map(({ settled }) => settled));
  }

  const done = all();
  // The caller of `done` gets the error; the results end with it.
  done.catch(() => {
    for (const { settled, settle } of slots) {
      settled.catch(() => {});
      settle(done as Promise<never>);
    }
  });
  return { size: jobs.length, results: inOrder(slots), done };
}

async function* inOrder<T>(slots: readonly Slot<T>[]): AsyncGenerator<T> {
  for (const { settled } of slots) yield await settled;
}

async function runJob<T>({ id, already, run }: Job<T>): Promise<Completed<T>> {
  try {
    return { id, value: await run(), ...(already && { already }) };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return { id, error };
  }
}

/** The place of a result. Only the first value counts. */
interface Slot<T> {
  settled: Promise<T>;
  settle(value: T | Promise<never>): void;
}

function slot<T>(): Slot<T> {
  let settle: (value: T | Promise<never>) => void = () => {};
  const settled = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { settled, settle };
}
