import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";

/** Returns the text of a file, or undefined if it is none. Synchronous, in a fraction of the time of `readText`. */
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

/** Returns a mark that identifies the state of a file without reading it; the same for every missing file. */
export function fileMark(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts ? [facts.dev, facts.ino, facts.size, facts.mtimeMs].join("-") : "none";
}
