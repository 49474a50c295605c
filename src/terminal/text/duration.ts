const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** Returns values as bars from the lowest to the highest. @param least the lowest bar's value (default: the least) */
export function durationTrendText(values: readonly number[], least = Math.min(...values)): string {
  const span = Math.max(...values) - least;
  const level = (value: number) => (span > 0 ? Math.round(((value - least) / span) * (LEVELS.length - 1)) : 0);
  return values.map((value) => LEVELS[level(value)] ?? "").join("");
}

/** Returns a time in its two largest units: `1m 12s`, `3h 5m`. @param milliseconds negative counts as none */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}
