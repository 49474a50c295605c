import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { App } from "../../app.ts";
import { readText } from "../../command-support/input-file.ts";
import { usageError } from "../../errors.ts";
import type { FleetSources } from "../../fleet/sources.ts";

/** The largest file of a fleet. */
export const MAX_FLEET_BYTES = 32 * 2 ** 20;

/** What the files of a fleet may refer to, besides what is below their folders. */
export interface AllowedReferences {
  /** The variables whose values may be seen. */
  allowEnv?: readonly string[];
  /** The folders whose files may be read. */
  allowFile?: readonly string[];
}

/** The parts of the app that sources need; the library has no others. */
interface FleetWorld extends Pick<App, "env"> {
  files: Pick<App["files"], "read" | "list" | "load" | "real">;
  stdin: App["stdin"];
  secrets: Pick<App["secrets"], "add">;
}

/** Returns the user's files and variables, from which a fleet is read. Its secrets are redacted in every output. */
export function fleetSources(app: FleetWorld, { allowEnv = [], allowFile = [] }: AllowedReferences = {}): FleetSources {
  return {
    read: (path, isListed) => {
      const files = { read: (from: string, maxBytes: number) => app.files.read(from, maxBytes, isListed) };
      return readText({ stdin: app.stdin, files }, path, MAX_FLEET_BYTES);
    },
    readReferenced: (path, from) =>
      readReferenced(app, path, from === undefined ? undefined : [dirname(from), ...allowFile]),
    list: (folder) => app.files.list(folder),
    env: (name) => app.env[name],
    mayShow: (name) => allowEnv.includes(name) && !isTokenVariable(name),
    protect: (secret) => app.secrets.add(secret),
  };
}

/** Returns whether a variable has a token, by its name: its value is never shown. */
export function isTokenVariable(name: string): boolean {
  return /(?:^|_)TOKENS?(?:_|$)/i.test(name);
}

/** The folders of files that are none: of processes, their memory and variables, and devices. */
const NOT_FILES = ["/proc", "/dev", "/sys"];

/** @param folders undefined for any */
async function readReferenced(
  { files }: FleetWorld,
  path: string,
  folders: readonly string[] | undefined,
): Promise<string> {
  const refuse = (rule: string): never => {
    throw usageError([{ where: path, rule }]);
  };
  const outside = "is not below the folder of the file that refers to it: add --allow-file FOLDER to read it";
  // What is outside is not even looked for.
  if (folders && !folders.some((folder) => isBelow(folder, path))) refuse(outside);
  const real = await files.real(path);
  const allowed = folders && (await Promise.all(folders.map((folder) => files.real(folder))));
  if (real === undefined) return refuse("cannot be read: it does not exist");
  if (NOT_FILES.some((folder) => isBelow(folder, real))) refuse("is not a regular file");
  if (allowed && !allowed.some((folder) => folder !== undefined && isBelow(folder, real))) refuse(outside);
  const text = await files
    .load(real, MAX_FLEET_BYTES)
    .catch(() => refuse("cannot be read: it is no regular file of UTF-8 text"));
  return (text ?? refuse("cannot be read: it does not exist")).replace(/^\ufeff/, "");
}

function isBelow(folder: string, path: string): boolean {
  const inner = relative(resolve(folder), resolve(path));
  return inner !== "" && !isAbsolute(inner) && inner !== ".." && !inner.startsWith(`..${sep}`);
}
