import { lstatSync, mkdirSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

const [ROOT, OTHERS_WRITE, STICKY] = [0, 0o022, 0o1000];

/**
 * A folder that nobody but the user can put something into, since what is in it is run; it is made where there is none. Nothing
 * where it belongs to another user or is a link, or where another user could put another folder in its place.
 */
export function ownFolder(parent: string, name: string, user: number | undefined): string | undefined {
  if (!isAbsolute(parent)) return undefined;
  const above = realpathSync(parent);
  const folder = join(above, name);
  const facts = factsOf(folder) ?? made(folder);
  if (!facts?.isDirectory()) return undefined;
  // On Windows the temporary files of a user are that user's by where they are.
  if (user === undefined) return folder;
  return facts.uid === user && !(facts.mode & OTHERS_WRITE) && isHeld(above, user) ? folder : undefined;
}

/** Whether what stands in a folder stays there, unless the user or root moves it. */
function isHeld(path: string, user: number): boolean {
  const facts = factsOf(path);
  if (!facts || ![user, ROOT].includes(facts.uid)) return false;
  if (facts.mode & OTHERS_WRITE && !(facts.mode & STICKY)) return false;
  return path === dirname(path) || isHeld(dirname(path), user);
}

function made(folder: string): Stats | undefined {
  mkdirSync(folder, { mode: 0o700 });
  return factsOf(folder);
}

function factsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
