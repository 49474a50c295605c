import { lstatSync, mkdirSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

const [ROOT, OTHERS, OTHERS_WRITE, STICKY] = [0, 0o077, 0o022, 0o1000];

/**
 * Returns the path of a folder that only the user can write to, since its content is run; creates it if there is none.
 * Returns undefined and creates nothing if another user could replace the folder, or if it belongs to another user, is
 * open to others, or is a link.
 * @param parent absolute; its links are followed
 * @param user the user's ID; absent on Windows, where the location of temporary files makes them private
 */
export function ownFolder(parent: string, name: string, user: number | undefined): string | undefined {
  if (!isAbsolute(parent)) return undefined;
  const above = realpathSync(parent);
  if (user !== undefined && !isHeld(above, user)) return undefined;
  const folder = join(above, name);
  const facts = findFacts(folder) ?? created(folder);
  return facts?.isDirectory() && isClosed(facts, user) ? folder : undefined;
}

export function isClosed({ uid, mode }: Stats, user: number | undefined): boolean {
  return user === undefined || (uid === user && !(mode & OTHERS));
}

/** Returns whether only the user or root can move an entry of a folder. */
function isHeld(path: string, user: number): boolean {
  const facts = findFacts(path);
  if (!facts || ![user, ROOT].includes(facts.uid)) return false;
  if (facts.mode & OTHERS_WRITE && !(facts.mode & STICKY)) return false;
  return path === dirname(path) || isHeld(dirname(path), user);
}

/** Creates the folder. Another process or user may create it at the same time: the returned facts decide. */
function created(folder: string): Stats | undefined {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return findFacts(folder);
}

function findFacts(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
