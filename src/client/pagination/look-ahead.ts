/** Gives what a task gave for a number, and begins it for those that follow. */
export type LookAhead<T> = (number: number, bounds: { last: number; most: number }) => Promise<T>;

/**
 * Runs a task for one number after the other, with several under way at the same time. Results are taken in order; nothing
 * is begun while nobody takes, so that `most` is also the most that is ever held, and the slowest reader sets the pace.
 */
export function lookAhead<T>(task: (number: number) => Promise<T>): LookAhead<T> {
  const underWay = new Map<number, Promise<T>>();
  return (number, { last, most }) => {
    const result = underWay.get(number) ?? task(number);
    underWay.delete(number);
    for (let next = number + 1; next <= last && next < number + most; next++) {
      if (!underWay.has(next)) underWay.set(next, quiet(task(next)));
    }
    return result;
  };
}

/** A failure counts when its turn comes, and not at all when nobody gets there. */
function quiet<T>(result: Promise<T>): Promise<T> {
  result.catch(() => {});
  return result;
}
