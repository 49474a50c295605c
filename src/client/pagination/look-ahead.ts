/** Returns the result for a number, and starts the tasks for the following numbers. */
export type LookAhead<T> = (number: number, bounds: { last: number; most: number }) => Promise<T>;

/**
 * Runs a task for consecutive numbers, several at the same time. The caller takes the results in order. Tasks start
 * only when a result is taken, so `most` also limits the results in memory, and a slow caller slows down the tasks.
 */
export function lookAhead<T>(task: (number: number) => Promise<T>): LookAhead<T> {
  const inProgress = new Map<number, Promise<T>>();
  return (number, { last, most }) => {
    const result = inProgress.get(number) ?? task(number);
    inProgress.delete(number);
    for (let next = number + 1; next <= last && next < number + most; next++) {
      if (!inProgress.has(next)) inProgress.set(next, quiet(task(next)));
    }
    return result;
  };
}

/** Defers a failure until its result is taken; it is ignored if the result is never taken. */
function quiet<T>(result: Promise<T>): Promise<T> {
  result.catch(() => {});
  return result;
}
