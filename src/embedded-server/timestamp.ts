/** Formats a time like the service: RFC 3339 with nanoseconds (facts 5.2). */
export function timestampText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "000000+00:00");
}
