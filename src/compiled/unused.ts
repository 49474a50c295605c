import { lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";

export interface KeptEntry {
  path: string;
  /** Facts about the entry itself if it is a link. */
  facts: Stats;
}

/** How long a file may be unused: two weeks, in milliseconds. */
const LONGEST_UNUSED = 14 * 24 * 3_600_000;
/** Several times the files of one version. */
const MOST_BYTES = 32 * 2 ** 20;

/** Yields the entries of a folder as they are when each one is requested. */
export function* entriesOf(folder: string): Generator<KeptEntry> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts) yield { path, facts };
  }
}

/**
 * Removes the files that no run used for two weeks, and then the least recently used above a limit of bytes. Two
 * versions that are used side by side fit into the limit, and so keep their files.
 * @param now milliseconds since 1970
 */
export function removeUnused(files: readonly KeptEntry[], now: number): void {
  let bytes = 0;
  for (const { path, facts } of [...files].sort((one, other) => lastUseOf(other.facts) - lastUseOf(one.facts))) {
    bytes += facts.size;
    if (bytes > MOST_BYTES || now - lastUseOf(facts) > LONGEST_UNUSED) rmSync(path, { force: true });
  }
}

/** Returns the time of the last use, which most systems update at least once a day. */
function lastUseOf({ atimeMs, mtimeMs }: Stats): number {
  return Math.max(atimeMs, mtimeMs);
}
