import { calledPlugin } from "../contract/reply/recognize.ts";
import { API_PREFIX } from "../contract/wire.ts";
import { appliedOf, type Journal, type RecordedWrite, walkWrites, writesOf } from "../journal/journal.ts";
import { createRestoredCheck, type RaisedCap, raisedCap } from "../session/journaling/raised-caps.ts";

export async function unknownWrites(journal: Journal, server: string | undefined) {
  const open: RecordedWrite[] = [];
  const leftRaised: RaisedCap[] = [];
  const restoredOf = createRestoredCheck();
  for await (const write of walkWrites(journal)) {
    const { intent } = write;
    const isOwn = server === undefined || intent.server === server;
    if (restoredOf(write) === false && isOwn) leftRaised.push(...[raisedCap(write) ?? []].flat());
    if (appliedOf(write) === "unknown" && isOwn && !hasOwnFailure(write)) open.push(write);
  }
  const writes: RecordedWrite[] = [];
  for (const write of open.reverse()) {
    // A clock that was set back can put the outcome into the file of an earlier month, or it was recorded just now.
    const [found = write] = writesOf(await journal.find(write.intent.id));
    if (appliedOf(found) === "unknown") writes.push(write);
  }
  return {
    writes,
    /** The caps that runs may have left raised, oldest first. */
    leftRaised: leftRaised.reverse(),
  };
}

/** Returns whether a plugin failed: nothing that is read later shows the effects that it had before. */
function hasOwnFailure({ intent: { target }, outcome }: RecordedWrite): boolean {
  return outcome?.status !== undefined && calledPlugin(target.replace(API_PREFIX, "")) !== undefined;
}

/** Returns whether a write may have been applied and is not undone. @param newer later undoing writes, newest first */
export function isWriteInEffect(write: RecordedWrite, newer: readonly RecordedWrite[]): boolean {
  return appliedOf(write) !== "no" && undoneBy(write, newer) === undefined;
}

export function undoneBy(write: RecordedWrite, newer: readonly RecordedWrite[]): RecordedWrite | undefined {
  const { run, target } = write.intent;
  return newer.find((undo, index) => {
    if (undo.intent.undoes !== run || undo.intent.target !== target) return false;
    return appliedOf(undo) === "yes" && isWriteInEffect(undo, newer.slice(0, index));
  });
}

/** Returns the writes since a time that undo others, newest first. @param since milliseconds since 1970 */
export async function undosSince(journal: Journal, since: number): Promise<RecordedWrite[]> {
  const undos: RecordedWrite[] = [];
  for await (const write of walkWrites(journal, since)) if (write.intent.undoes !== undefined) undos.push(write);
  return undos;
}
