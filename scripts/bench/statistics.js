/** The middle of some numbers; of an even number of them, halfway between the two in the middle. */
export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2;
}

/** Seconds on the wall that one thing takes, as the median of a run. A run may be of many things. */
export function secondsEach({ times, items = 1 }) {
  return median(times.map(({ wall }) => wall)) / items;
}

/** How many times as long as the other a run takes for one thing; says why not when one of them failed. */
export function timeRatio(run, other) {
  const failure = run.failure ?? other.failure;
  return failure ? { failure } : { value: secondsEach(run) / secondsEach(other) };
}

/** How many times as fast as the other a run is: things a second by things a second. */
export function speedRatio(run, other) {
  return timeRatio(other, run);
}
