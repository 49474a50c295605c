import { RelayctlError } from "../../errors.ts";

/** One of many things to do, each about another target. */
export interface Job<T> {
  id: string;
  /** It is so already: what it gives is known, and nothing is sent. */
  already?: true;
  run(): Promise<T>;
}

/** What came of a job; neither a value nor an error where it was never begun. */
export interface Landed<T> {
  id: string;
  value?: T;
  /** It was so already, and nothing was sent. */
  already?: true;
  error?: RelayctlError;
}

export interface RunBounds {
  /** How many jobs are under way at the same time. */
  concurrency: number;
  /** Once it is aborted nothing is begun; what is in progress is awaited. */
  interrupt: AbortSignal;
  /** Whether a failure is that of all jobs: then nothing further is begun. A token that is refused always is. */
  endsAll?(error: RelayctlError): boolean;
}

export interface Run<T> {
  /** How many jobs there are. */
  size: number;
  /** In the order of the jobs, each as soon as it and all before it have landed. Nobody has to read them. */
  results: AsyncIterable<Landed<T>>;
  /** All of them, in the same order. */
  done: Promise<readonly Landed<T>[]>;
}

/** Does all jobs, so many at a time. A job that fails leaves the others alone, unless it fails for all of them. */
export function runAll<T>(jobs: readonly Job<T>[], { concurrency, interrupt, endsAll }: RunBounds): Run<T> {
  const slots = jobs.map(() => slot<Landed<T>>());
  let next = 0;
  let ended = false;

  async function work(): Promise<void> {
    while (next < jobs.length && !ended && !interrupt.aborted) {
      const at = next++;
      const job = jobs[at];
      if (!job) return;
      const landed = await land(job);
      ended ||= landed.error !== undefined && (landed.error.failure === "auth" || endsAll?.(landed.error) === true);
      slots[at]?.settle(landed);
    }
  }

  async function all(): Promise<readonly Landed<T>[]> {
    await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, work));
    for (const [at, { id }] of jobs.entries()) slots[at]?.settle({ id });
    return await Promise.all(slots.map(({ settled }) => settled));
  }

  const done = all();
  // Whoever awaits `done` hears of it; the results end with it.
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

async function land<T>({ id, already, run }: Job<T>): Promise<Landed<T>> {
  try {
    return { id, value: await run(), ...(already && { already }) };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return { id, error };
  }
}

/** Where a result will be. Only what is put there first counts. */
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
