import { mkdirSync, readdirSync, rmSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";

const OTHERS_WRITE = 0o022;

/**
 * A folder that nobody but the user can put something into, since what is in it is run; nothing where there is none. It is made
 * below a folder of the user's, in place of those of other versions. What `sudo` runs with the home of a user has none.
 * @param name ends in a version
 */
export function ownFolder(parent: string, name: string, user: number | undefined): string | undefined {
  const folder = join(parent, name);
  const facts = factsOf(folder) ?? made(folder, user);
  return facts && isOwn(facts, user) ? folder : undefined;
}

function made(folder: string, user: number | undefined): Stats | undefined {
  const above = nearestAbove(folder);
  if (above === dirname(above) || !isOwn(statSync(above), user)) return undefined;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOthers(folder);
  return statSync(folder);
}

function removeOthers(folder: string): void {
  const parent = dirname(folder);
  for (const name of readdirSync(parent)) {
    const other = join(parent, name);
    if (other !== folder && name.startsWith("compiled-")) rmSync(other, { recursive: true });
  }
}

function nearestAbove(path: string): string {
  const above = dirname(path);
  return above === path || factsOf(above) ? above : nearestAbove(above);
}

function factsOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** On Windows the folders of a user are told apart by what is not in a mode. */
function isOwn({ uid, mode }: Stats, user: number | undefined): boolean {
  return user === undefined || (uid === user && !(mode & OTHERS_WRITE));
}
