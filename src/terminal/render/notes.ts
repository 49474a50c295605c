import { grouped } from "../../contract/decimal.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { OutputOptions } from "../output-options.ts";
import type { ListView } from "../view.ts";
import type { Tally } from "./reading.ts";

/** Returns `no relayers match network=polygon in context prod (5 in all)` */
export function emptyNote({ resource, where, nothing }: ListView, options: OutputOptions, tally: Tally): string {
  if (nothing) return nothing;
  const all = computeAll(tally);
  const conditions = options.where ?? [];
  if (conditions.length > 0)
    return `no ${resource.many} match ${conditions.join(" and ")} in ${where} (${grouped(all)} in all)`;
  return all > 0
    ? `no ${resource.many} on this page in ${where} (${grouped(all)} in all)`
    : `no ${resource.many} in ${where}`;
}

/** Returns `5 relayers · demo · 2 need attention: …`, or `2 of 5 relayers · demo` */
export function summaryNote(
  { resource, where, flags = [] }: ListView,
  items: readonly JsonObject[],
  tally: Tally,
): string {
  const all = computeAll(tally);
  const noun = all === 1 ? resource.one : resource.many;
  const count =
    items.length < all ? `${grouped(items.length)} of ${grouped(all)} ${noun}` : `${grouped(items.length)} ${noun}`;
  return [count, where, resource.attention?.(items, flags)].filter((part) => part !== undefined).join(" · ");
}

/** Returns the note before the first row of a list that is too long to sort. */
export function streamingNote({ resource }: ListView, total: number): string {
  return `${grouped(total)} ${resource.many}: rows are written as they arrive, not sorted by ID (use --sort to sort them)`;
}

function computeAll({ total, seen }: Tally): number {
  return Math.max(total ?? 0, seen);
}
