import { closeSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openNow, writeNow } from "../config/files/read-now.ts";
import { markMasked } from "../contract/secret-fields.ts";
import type { JournalFolder } from "./folder.ts";

const LEFTOVER = /^\.(?:head\.json|salt)\..+$/;

/** Replaces a small file: a reader sees the old or the new text. */
export function replaceFile(
  folder: JournalFolder,
  name: string,
  { text, unique }: { text: string; unique: string },
): void {
  const staged = join(folder.path, `.${name}.${unique}`);
  const bytes = markMasked(Buffer.from(text));
  try {
    const descriptor = openNow(staged, "new");
    try {
      if (writeNow(descriptor, bytes) < bytes.length) throw Object.assign(new Error("short"), { code: "ENOSPC" });
    } finally {
      closeSync(descriptor);
    }
    renameSync(staged, join(folder.path, name));
  } catch (error) {
    removeJournalFile(staged);
    throw error;
  }
}

export function removeJournalLeftovers(folder: JournalFolder): void {
  for (const name of folder.names()) if (LEFTOVER.test(name)) removeJournalFile(join(folder.path, name));
}

export function removeJournalFile(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true });
  } catch {
    // The next process tries again.
  }
}
