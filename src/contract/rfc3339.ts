const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** The last second of the year 9999. A larger number is in milliseconds. */
export const LAST_SECOND = 253_402_300_799;

/** Returns the milliseconds since 1970 of a time with a zone, if its day exists. */
export function rfc3339Time(text: string): number | undefined {
  const time = RFC3339.test(text) && isRfc3339Day(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Returns whether a text begins with a day that exists: some engines read February 30 as March 2, and 24:00 as the next day. */
export function isRfc3339Day(text: string): boolean {
  const day = text.slice(0, "2026-11-01".length);
  const time = Date.parse(day);
  return !/^.{10}T24/i.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
