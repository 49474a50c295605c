import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";

/**
 * The text of a file, or nothing when it cannot be had: no file, no plain file, too large. Without a thread of its own it
 * takes a fraction of the time that `readText` takes, for a process that has nothing else to do.
 */
export function readTextNow(path: string, maxBytes: number): string | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const facts = fstatSync(file);
      return facts.isFile() && facts.size <= maxBytes ? readFileSync(file, "utf8") : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** What tells one state of a file from another without a look inside; the same for every file that is not there. */
export function fileMark(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts ? [facts.dev, facts.ino, facts.size, facts.mtimeMs].join("-") : "none";
}
