import type { Journal } from "../journal/journal.ts";
import { appliedOf, type RecordedWrite, writesNewestFirst } from "../journal/writes.ts";

/** Returns whether a write may have been applied and is not undone. @param newer later undoing writes, newest first */
export function isInEffect(write: RecordedWrite, newer: readonly RecordedWrite[]): boolean {
  return appliedOf(write) !== "no" && undoneBy(write, newer) === undefined;
}

/** Returns the later write that undid a write, and was not undone itself. */
export function undoneBy(write: RecordedWrite, newer: readonly RecordedWrite[]): RecordedWrite | undefined {
  const { run, target } = write.intent;
  return newer.find((undo, index) => {
    if (undo.intent.undoes !== run || undo.intent.target !== target) return false;
    return appliedOf(undo) === "yes" && isInEffect(undo, newer.slice(0, index));
  });
}

/** Returns the writes since a time that undo others, newest first. @param since milliseconds since 1970 */
export async function undosSince(journal: Journal, since: number): Promise<RecordedWrite[]> {
  const undos: RecordedWrite[] = [];
  for await (const write of writesNewestFirst(journal, since)) if (write.intent.undoes !== undefined) undos.push(write);
  return undos;
}
