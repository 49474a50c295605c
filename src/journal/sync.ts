import { closeSync, fdatasync, fsync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { JournalFolder, OpenFile } from "./folder.ts";

/** Waits until the disk has the bytes of a file, and for a new file also its name and that of its folder. */
export async function syncToDisk({ path }: JournalFolder, file: OpenFile, isNew: boolean): Promise<void> {
  await done((callback) => fdatasync(file.descriptor, callback));
  if (isNew) for (const folder of [path, dirname(path)]) await syncFolder(folder);
}

/** Syncs a folder, if the system can. */
async function syncFolder(path: string): Promise<void> {
  try {
    const descriptor = openSync(path, "r");
    await done((callback) => fsync(descriptor, callback)).finally(() => closeSync(descriptor));
  } catch {
    // Not every system can sync a folder.
  }
}

function done(start: (callback: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}
