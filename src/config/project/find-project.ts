import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { elseOnError } from "../../errors.ts";
import { PROJECT_NAME } from "./project.ts";

/** Searches up to the root of the repository or the home folder; without either, only in that folder. */
export function findProjectPath(start: string, home: string | undefined): string | undefined {
  const below: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    if (pathExists(join(folder, PROJECT_NAME)))
      return isWithin(folder, below, home) ? join(folder, PROJECT_NAME) : undefined;
    if (dirname(folder) === folder) return undefined;
    below.push(folder);
  }
}

/** Returns whether a folder belongs to the same repository, or to the home folder, as those below it. */
function isWithin(folder: string, below: readonly string[], home: string | undefined): boolean {
  if (below.length === 0) return true;
  const realHome = home === undefined ? undefined : elseOnError(() => realpathSync(home));
  const isTop = (each: string) => each === realHome || pathExists(join(each, ".git"));
  if (below.some(isTop)) return false;
  for (let at = folder; !isTop(at); at = dirname(at)) if (dirname(at) === at) return false;
  return true;
}

function pathExists(path: string): boolean {
  return elseOnError(() => lstatSync(path, { throwIfNoEntry: false })) !== undefined;
}
