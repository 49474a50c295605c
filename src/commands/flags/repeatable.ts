/** Collects the values of a repeatable flag in order. */
export function repeatable(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}
