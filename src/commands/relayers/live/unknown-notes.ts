import type { LiveValues } from "./values.ts";

const NO_ROUTE = "note: this service has no status route: balances, pending counts, and nonces are unknown";

/** Returns notes about values that could not be read, each reason once. */
export function unknownNotes({ failures, hasNoRoute }: Pick<LiveValues, "failures" | "hasNoRoute">): string[] {
  if (hasNoRoute) return [NO_ROUTE];
  const reasons = new Map<string, string[]>();
  for (const [id, { message: why }] of failures) {
    const ids = reasons.get(why) ?? [];
    ids.push(id);
    reasons.set(why, ids);
  }
  return [...reasons].map(([why, ids]) => `note: status of ${ids.join(", ")} not known: ${why}`);
}
