import type { Journal } from "./journal.ts";
import { appliedOf, type RecordedWrite } from "./writes.ts";

/** Returns whether nothing shows that a write was applied or not, although the process that recorded it does not wait for it. */
export function isLost(write: RecordedWrite, journal: Pick<Journal, "isRunning">): boolean {
  return appliedOf(write) === "unknown" && !isAwaited(write, journal);
}

/** Returns whether a write without any outcome is in progress: the process that recorded its intent runs. */
export function isAwaited({ intent, outcome }: RecordedWrite, journal: Pick<Journal, "isRunning">): boolean {
  return !outcome && journal.isRunning(intent);
}

/** Returns whether a run may send further writes: a bulk run has outcomes of those that it sent so far. */
export function isInProgress(writes: readonly RecordedWrite[], journal: Pick<Journal, "isRunning">): boolean {
  return writes.some(({ intent }) => journal.isRunning(intent));
}
