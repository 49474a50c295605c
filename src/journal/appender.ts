import { fileError } from "../config/files/file-error.ts";
import type { LockWorld } from "../config/files/lock.ts";
import { RelayctlError } from "../errors.ts";
import { JOURNAL_HOLD, LOCK_POLL } from "../timing.ts";
import { type BatchWriter, openBatchWriter, type Result, type Waiting } from "./batch-writer.ts";
import type { JournalFolder } from "./folder.ts";
import { isFolderLockWanted, withFolderLock } from "./folder-lock.ts";
import type { MaskedJournal } from "./journal.ts";
import { removeJournalLeftovers } from "./replace-file.ts";

interface Queue {
  waiting: Waiting[];
  isRunning: boolean;
  arrived(): void;
}

/** Appends entries to a journal. Waiting entries are written together, under one lock while more are expected. */
export function createAppender(folder: JournalFolder, surroundings: LockWorld): MaskedJournal["append"] {
  const queue: Queue = { waiting: [], isRunning: false, arrived: () => {} };
  return (entry, { isSynced = false, isFollowed = false, json } = {}) =>
    new Promise((resolve, reject) => {
      const rejectKnown = (error: unknown) => reject(journalError(folder.path, error));
      queue.waiting.push({ entry, isSynced, isFollowed, json, resolve, reject: rejectKnown });
      queue.arrived();
      if (!queue.isRunning) void drainQueue(queue, folder, surroundings);
    });
}

async function drainQueue(queue: Queue, folder: JournalFolder, surroundings: LockWorld): Promise<void> {
  queue.isRunning = true;
  while (queue.waiting.length > 0) {
    try {
      await withFolderLock(folder, surroundings, () => appendWaiting(queue, folder, surroundings));
    } catch (error) {
      rejectAll(takeAll(queue), error);
    }
    // Leaves the lock to other processes.
    if (queue.waiting.length > 0 && isFolderLockWanted(folder)) await surroundings.clock.sleep(LOCK_POLL.longest);
  }
  queue.isRunning = false;
}

async function appendWaiting(queue: Queue, folder: JournalFolder, { clock, random }: LockWorld): Promise<void> {
  const released = new AbortController();
  removeJournalLeftovers(folder);
  const writer = await openBatchWriter(folder, random.uuid());
  try {
    await appendWhileExpected(queue, clock, { folder, writer, released: released.signal });
    await writer.finish();
  } finally {
    released.abort();
    writer.close();
  }
}

async function appendWhileExpected(
  queue: Queue,
  clock: LockWorld["clock"],
  { folder, writer, released }: { folder: JournalFolder; writer: BatchWriter; released: AbortSignal },
): Promise<void> {
  const start = clock.elapsed();
  let isFollowed = true;
  while (isFollowed) {
    let hasPassed = false;
    const period = clock.sleep(JOURNAL_HOLD.shortest, released).then(() => {
      hasPassed = true;
    });
    let count = 0;
    while (!hasPassed && isFollowed) {
      if (queue.waiting.length > 0) {
        count++;
        isFollowed = (await appendOnce(queue, clock, writer)) || queue.waiting.length > 0;
      } else await Promise.race([awaitArrival(queue), period]);
    }
    if (count === 0 || isFolderLockWanted(folder) || clock.elapsed() - start >= JOURNAL_HOLD.longest) return;
  }
}

async function appendOnce(queue: Queue, clock: LockWorld["clock"], writer: BatchWriter): Promise<boolean> {
  // First handles all responses that have already arrived.
  await clock.sleep(0);
  const batch = takeAll(queue);
  // The last entry knows the most.
  const isFollowed = batch.at(-1)?.isFollowed === true;
  try {
    const results = await writer.append(batch);
    // Once a request has left, the head contains its intent, so that a truncated end shows, even after a kill.
    if (!isFollowed || batch.some((one) => one.isSynced)) await writer.finish();
    if (!isFollowed) writer.close();
    settleAll(results);
  } catch (error) {
    rejectAll(batch, error);
  }
  return isFollowed;
}

function awaitArrival(queue: Queue): Promise<void> {
  return new Promise((resolve) => {
    queue.arrived = resolve;
  });
}

function takeAll(queue: Queue): Waiting[] {
  const all = queue.waiting;
  queue.waiting = [];
  return all;
}

function settleAll(results: readonly Result[]): void {
  for (const { one, problem } of results) {
    if (problem === undefined) one.resolve();
    else one.reject(problem);
  }
}

function rejectAll(batch: readonly Waiting[], error: unknown): void {
  for (const one of batch) one.reject(error);
}

export function journalError(path: string, error: unknown): unknown {
  const known = fileError(path, "written", error);
  return known !== error && known instanceof RelayctlError ? known.with({ failure: "io" }) : known;
}
