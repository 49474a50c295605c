const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** Returns values as bars from the lowest to the highest one. @param least what the lowest bar stands for (default: the least value) */
export function trendText(values: readonly number[], least = Math.min(...values)): string {
  const span = Math.max(...values) - least;
  const level = (value: number) => (span > 0 ? Math.round(((value - least) / span) * (LEVELS.length - 1)) : 0);
  return values.map((value) => LEVELS[level(value)] ?? "").join("");
}
