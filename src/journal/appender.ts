import { join } from "node:path";
import { fileError } from "../config/files/file-error.ts";
import { type Surroundings, withLock } from "../config/files/lock.ts";
import { makeFolder } from "../config/files/make-folder.ts";
import { RelayctlError } from "../errors.ts";
import { JOURNAL_HOLD, JOURNAL_LOCK, LOCK_POLL } from "../timing.ts";
import { appendBatch, type Waiting } from "./append-batch.ts";
import type { JournalFolder } from "./folder.ts";
import type { Journal } from "./journal.ts";
import { removeLeftovers } from "./replace-file.ts";

/** Appends entries to a journal. Those that wait at the same time are written together. */
export function createAppender(folder: JournalFolder, surroundings: Surroundings): Journal["append"] {
  let waiting: Waiting[] = [];
  let isRunning = false;
  const { clock, random } = surroundings;
  const appendWaiting = async () => {
    const end = clock.elapsed() + JOURNAL_HOLD;
    removeLeftovers(folder);
    do {
      const batch = waiting;
      waiting = [];
      await appendBatch(folder, batch, random.uuid()).catch((error: unknown) => rejectAll(batch, error));
    } while (waiting.length > 0 && clock.elapsed() < end);
    return clock.elapsed() >= end;
  };
  const run = async () => {
    while (waiting.length > 0) {
      let wasHeldLong = false;
      try {
        wasHeldLong = await withFolderLock(folder, surroundings, appendWaiting);
      } catch (error) {
        const batch = waiting;
        waiting = [];
        rejectAll(batch, error);
      }
      // Processes that wait for the lock get it.
      if (waiting.length > 0 && wasHeldLong) await clock.sleep(LOCK_POLL.shortest);
    }
    isRunning = false;
  };
  return (entry, { isSynced = false } = {}) =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, isSynced, resolve, reject: (error) => reject(writeError(folder.path, error)) });
      if (isRunning) return;
      isRunning = true;
      void run();
    });
}

/**
 * Runs the work under the lock of a journal, whose folder is created first.
 * @throws RelayctlError io if another process holds the lock; usage if the folder cannot be trusted
 */
export async function withFolderLock<T>(
  folder: JournalFolder,
  surroundings: Surroundings,
  work: () => Promise<T>,
): Promise<T> {
  await createPrivately(folder);
  let isHeld = false;
  const workInside = () => {
    isHeld = true;
    return work();
  };
  try {
    return await withLock(join(folder.path, "journal"), surroundings, workInside, JOURNAL_LOCK);
  } catch (error) {
    throw error instanceof RelayctlError && !isHeld ? error.with({ failure: "io" }) : error;
  }
}

/** Creates the folder of a journal if there is none. @throws RelayctlError usage if it belongs to another user */
export async function createPrivately(folder: JournalFolder): Promise<void> {
  await makeFolder(folder.path);
  await folder.keepPrivate();
}

function rejectAll(batch: readonly Waiting[], error: unknown): void {
  for (const one of batch) one.reject(error);
}

/** Returns the error for what could not be written, e.g. because the disk is full. */
export function writeError(path: string, error: unknown): unknown {
  const known = fileError(path, "written", error);
  return known !== error && known instanceof RelayctlError ? known.with({ failure: "io" }) : known;
}
