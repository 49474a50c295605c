import type { Journal } from "../journal/journal.ts";
import { appliedOf, type RecordedWrite } from "../journal/writes.ts";

/** What became of a write, as far as the journal and the processes of this machine show. */
export type WriteState = "applied" | "not applied" | "unknown" | "in progress";

/**
 * Returns what became of a write: the last known outcome counts, whichever command recorded it. Without any outcome, the
 * write is in progress while the process that recorded its intent runs. Otherwise its request may have been applied, and
 * may still arrive.
 */
export function writeStateOf(write: RecordedWrite, journal: Pick<Journal, "isRunning">): WriteState {
  const applied = appliedOf(write);
  if (applied !== "unknown") return applied === "yes" ? "applied" : "not applied";
  return !write.outcome && journal.isRunning(write.intent) ? "in progress" : "unknown";
}

/** Returns whether a run may send further writes: a bulk run has outcomes of those that it sent so far. */
export function isInProgress(writes: readonly RecordedWrite[], journal: Pick<Journal, "isRunning">): boolean {
  return writes.some(({ intent }) => journal.isRunning(intent));
}
