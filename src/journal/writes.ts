import type { Applied } from "../errors.ts";
import type { Entry, Intent, Journal, WriteOutcome } from "./journal.ts";

export interface RecordedWrite {
  intent: Intent;
  /** The last known outcome, otherwise the last: a later command may have resolved an earlier outcome. */
  outcome?: WriteOutcome;
}

export function appliedOf({ outcome }: RecordedWrite): Applied {
  return outcome?.applied ?? "unknown";
}

/** Yields the writes of a journal, newest first, without starts of payment runs and writes whose intent is missing. */
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

/** Returns whether nothing shows if a write was applied, and its process doesn't wait for it. */
export function isLost(write: RecordedWrite, journal: Pick<Journal, "isRunning">): boolean {
  return appliedOf(write) === "unknown" && !isAwaited(write, journal);
}

/** Returns whether a write without any outcome is in progress: the process that recorded its intent runs. */
export function isAwaited({ intent, outcome }: RecordedWrite, journal: Pick<Journal, "isRunning">): boolean {
  return !outcome && journal.isRunning(intent);
}

/** Returns whether a run may send further writes: a bulk run records outcomes while it runs. */
export function isInProgress(writes: readonly RecordedWrite[], journal: Pick<Journal, "isRunning">): boolean {
  return writes.some(({ intent }) => journal.isRunning(intent));
}

const SHORT = 8;

export async function shortRuns(journal: Journal, runs: Iterable<string>): Promise<(run: string) => string> {
  const known = new Set(runs);
  const starts = startsOf(known);
  for await (const { run } of journal.newestFirst(undefined, { mayRound: true, runs: starts })) known.add(run);
  const count = (size: number) => new Set([...known].map((run) => run.slice(0, size))).size;
  let length = SHORT;
  while (count(length) < known.size) length++;
  return (run) => run.slice(0, length);
}

/** Returns the starts of runs that a journal finds their lines by. */
export function startsOf(runs: Iterable<string>): ReadonlySet<string> {
  return new Set(Array.from(runs, (run) => run.slice(0, SHORT)));
}
