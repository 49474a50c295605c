import { accessSync, constants, readdirSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** The folder of a release that `npm run release` built. */
const RELEASE = resolve(process.env.RELAYCTL_RELEASE ?? "release");

/** How npm, Debian, and images name the architecture of this machine. */
export const ARCHITECTURE = process.arch === "x64" ? "amd64" : process.arch;

/** Returns the path of the one file of the release with such a name. */
export function released(name: RegExp): string {
  const found = readdirSync(RELEASE).filter((each) => name.test(each));
  if (found.length !== 1) throw new Error(`${RELEASE} holds ${found.length} files like ${name}, not one`);
  return join(RELEASE, String(found[0]));
}

export function has(...programs: readonly string[]): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return programs.every((program) => folders.some((folder) => canRun(join(folder, program))));
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
