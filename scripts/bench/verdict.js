/** Whether a budget is kept, in words: the budget is what has to be, the reach what one would like. */
export function verdict({ value, failure, atMost, atLeast, reach }) {
  if (value === undefined) return `not measured: ${failure.split("\n")[0]}`;
  const keeps = (bound) => (atMost === undefined ? value >= bound : value <= bound);
  if (!keeps(atMost ?? atLeast)) return "**missed**";
  return reach !== undefined && keeps(reach) ? "met, and the reach" : "met";
}
