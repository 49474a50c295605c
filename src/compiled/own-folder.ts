import { lstatSync, mkdirSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

const [ROOT, OTHERS, OTHERS_WRITE, STICKY] = [0, 0o077, 0o022, 0o1000];

/**
 * Returns the path of a folder that only the user can put something into, since its content is run; it is created if there is none.
 * Nothing is returned, and nothing created, if another user could replace the folder; nor if the folder belongs to another user, is
 * open to others, or is a link.
 * @param parent absolute; its links are followed
 * @param user the user's number, absent on Windows, where temporary files belong to the user by their place
 */
export function ownFolder(parent: string, name: string, user: number | undefined): string | undefined {
  if (!isAbsolute(parent)) return undefined;
  const above = realpathSync(parent);
  if (user !== undefined && !isHeld(above, user)) return undefined;
  const folder = join(above, name);
  const facts = factsOf(folder) ?? created(folder);
  return facts?.isDirectory() && isClosed(facts, user) ? folder : undefined;
}

/** Whether nobody but the user can open something. */
export function isClosed({ uid, mode }: Stats, user: number | undefined): boolean {
  return user === undefined || (uid === user && !(mode & OTHERS));
}

/** Whether an entry of a folder stays there, unless the user or root moves it. */
function isHeld(path: string, user: number): boolean {
  const facts = factsOf(path);
  if (!facts || ![user, ROOT].includes(facts.uid)) return false;
  if (facts.mode & OTHERS_WRITE && !(facts.mode & STICKY)) return false;
  return path === dirname(path) || isHeld(dirname(path), user);
}

/** Another process, or another user, may create the same folder at the same time: its facts decide. */
function created(folder: string): Stats | undefined {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return factsOf(folder);
}

function factsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
