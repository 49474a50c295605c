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

/**
 * Returns how many times as much CPU a run takes as another: the median of the rounds' ratios, so that slow seconds cancel out.
 * @param of `cpu`, or `wall` where others than the command do the work
 */
export function costRatio(run, other, of = "cpu") {
  const failure = run.failure ?? other.failure;
  if (failure) return { failure };
  const each = ({ times, items = 1 }, round) => times[round][of] / items;
  const ratios = run.times.map((_, round) => each(run, round) / each(other, round));
  return { value: median(ratios), load: Math.max(run.load, other.load) };
}

/** How many things a run does for the CPU that the other needs for one. */
export function speedRatio(run, other, of) {
  return costRatio(other, run, of);
}
