/** Above it, other programs share the processors to such an extent that times say little. */
const MOST_LOAD = 1.5;

/** Whether a budget is kept, in words: the budget is what has to be, the reach what one would like. */
export function verdict({ value, failure, atMost, atLeast, reach, load = 0 }) {
  if (value === undefined) return `not measured: ${failure.split("\n")[0]}`;
  if (atMost === undefined && atLeast === undefined) return "";
  if (load > MOST_LOAD) return `not judged: load ${load.toFixed(1)}`;
  const keeps = (bound) => (atMost === undefined ? value >= bound : value <= bound);
  if (!keeps(atMost ?? atLeast)) return "**missed**";
  return reach !== undefined && keeps(reach) ? "met, and the reach" : "met";
}
