import { lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { ownFolder } from "./own-folder.ts";

const MAX_BYTES = 16 * 2 ** 20;

/**
 * Returns the folder for Node's own compile cache, with nothing in it that Node should not read. Node verifies each file by checksums
 * of the source and of the code, but follows links, waits for pipes, and reads files of any size. The folder itself is closed to others.
 */
export function nodeFolder(parent: string, user: number | undefined): string | undefined {
  const folder = ownFolder(parent, "node", user);
  if (folder === undefined) return undefined;
  const isOwn = ({ uid }: Stats) => user === undefined || uid === user;
  // A folder for each version of Node, with the files in it.
  for (const version of keptIn(folder, (facts) => facts.isDirectory() && isOwn(facts))) {
    keptIn(version, (facts) => facts.isFile() && facts.nlink === 1 && facts.size <= MAX_BYTES && isOwn(facts));
  }
  return folder;
}

/** Returns the paths of what may stay in a folder, and removes everything else. */
function keptIn(folder: string, mayStay: (facts: Stats) => boolean): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => {
      const facts = lstatSync(path, { throwIfNoEntry: false });
      const stays = facts !== undefined && mayStay(facts);
      if (!stays) rmSync(path, { recursive: true, force: true });
      return stays;
    });
}
