import type { Applied } from "../errors.ts";
import type { Entry, Intent, WriteOutcome } from "./entry.ts";
import type { Journal } from "./journal.ts";

export interface RecordedWrite {
  intent: Intent;
  /** The last outcome that is known, otherwise the last: a later command may have settled an earlier one. */
  outcome?: WriteOutcome;
}

/** Returns whether a write was applied; `unknown` if no outcome was recorded. */
export function appliedOf({ outcome }: RecordedWrite): Applied {
  return outcome?.applied ?? "unknown";
}

/** Yields the writes of a journal, newest first, without those whose intent is missing and beginnings of payments. */
export async function* writesNewestFirst(
  journal: Journal,
  since?: number,
  options?: Parameters<Journal["newestFirst"]>[1],
): AsyncGenerator<RecordedWrite> {
  const outcomes = new Map<string, WriteOutcome>();
  for await (const entry of journal.newestFirst(since, options)) {
    if (entry.type === "outcome") {
      const later = outcomes.get(entry.id);
      if (!later || (!isKnown(later) && isKnown(entry))) outcomes.set(entry.id, entry);
      continue;
    }
    const outcome = outcomes.get(entry.id);
    outcomes.delete(entry.id);
    if (entry.payments) continue;
    yield { intent: entry, ...(outcome && { outcome }) };
  }
}

/** Returns the writes of entries that are in the order of the journal, e.g. from `find`, oldest first. */
export function writesOf(entries: readonly Entry[]): RecordedWrite[] {
  const writes = new Map<string, RecordedWrite>();
  for (const entry of entries) {
    if (entry.type === "intent") {
      if (!entry.payments) writes.set(entry.id, { intent: entry });
    } else {
      const write = writes.get(entry.id);
      if (write && (!write.outcome || isKnown(entry) || !isKnown(write.outcome))) write.outcome = entry;
    }
  }
  return [...writes.values()];
}

function isKnown({ applied }: WriteOutcome): boolean {
  return applied !== "unknown";
}
