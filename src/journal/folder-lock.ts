import { closeSync, existsSync } from "node:fs";
import { join } from "node:path";
import { type LockWorld, withLock } from "../config/files/lock.ts";
import { makeFolder } from "../config/files/make-folder.ts";
import { openNow } from "../config/files/read-now.ts";
import { RelayctlError } from "../errors.ts";
import { JOURNAL_LOCK } from "../timing.ts";
import type { JournalFolder } from "./folder.ts";
import { removeJournalFile } from "./replace-file.ts";

/** Runs the work under the lock of a journal, and creates its folder. @throws RelayctlError io or usage */
export async function withFolderLock<T>(
  folder: JournalFolder,
  surroundings: LockWorld,
  work: () => Promise<T>,
): Promise<T> {
  await createPrivateFolder(folder);
  let isHeld = false;
  const workInside = () => {
    isHeld = true;
    removeJournalFile(waitingMark(folder));
    return work();
  };
  const whenHeld = () => markWaiting(folder);
  try {
    return await withLock(join(folder.path, "journal"), surroundings, workInside, { ...JOURNAL_LOCK, whenHeld });
  } catch (error) {
    throw error instanceof RelayctlError && !isHeld ? error.with({ failure: "io" }) : error;
  }
}

/** @throws RelayctlError usage if the folder belongs to another user */
export async function createPrivateFolder(folder: JournalFolder): Promise<void> {
  await makeFolder(folder.path);
  await folder.keepPrivate();
}

/** Returns the path of an empty file that a waiting process creates to ask the holder for the lock. */
function waitingMark({ path }: JournalFolder): string {
  return join(path, "wanted");
}

function markWaiting(folder: JournalFolder): void {
  try {
    closeSync(openNow(waitingMark(folder), "new"));
  } catch {
    // Another process waits, too, or the folder can't be written.
  }
}

export function isFolderLockWanted(folder: JournalFolder): boolean {
  return existsSync(waitingMark(folder));
}
