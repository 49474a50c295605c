const [FIRST, LAST] = [Date.parse("0000-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/** Returns a received time in milliseconds since 1970; NaN for anything else, e.g. a year of five digits. */
export function receivedTime(value: unknown): number {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return time >= FIRST && time <= LAST ? time : Number.NaN;
}

/** Returns the same, but undefined for anything else. */
export function knownTime(value: unknown): number | undefined {
  const time = receivedTime(value);
  return Number.isNaN(time) ? undefined : time;
}
