/** A flag that may be given again and again: its values in the order in which they were typed. */
export function repeatable(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}
