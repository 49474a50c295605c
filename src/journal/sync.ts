import { fdatasync, fstatSync, ftruncateSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "../config/files/sync-folder.ts";
import type { JournalFolder, OpenFile } from "./folder.ts";

/** Waits until the disk has the name of a new file and that of its folder, and the bytes if an entry is to be synced. */
export async function syncToDisk(
  { path }: JournalFolder,
  file: OpenFile,
  { isNew, isSynced }: { isNew: boolean; isSynced: boolean },
): Promise<void> {
  if (isNew) for (const folder of [path, dirname(path)]) await syncFolder(folder);
  if (!isSynced) return;
  await new Promise<void>((resolve, reject) =>
    fdatasync(file.descriptor, (error) => (error ? reject(error) : resolve())),
  );
}

/** Cuts off what does not count as written, but not bytes of another process. The next writer sets aside what stays. */
export function cutOff({ descriptor }: OpenFile, from: number, end: number): void {
  try {
    if (from < end && fstatSync(descriptor).size === end) ftruncateSync(descriptor, from);
  } catch {
    // The head does not contain it.
  }
}
