import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { App } from "../app.ts";
import { NO_LABELS } from "../config/labels.ts";
import { usageError } from "../errors.ts";
import { readExactInput } from "../session/input-file.ts";
import { listedLabelAddress, readLabels } from "../session/labels.ts";
import { type FleetSources, NO_FILE } from "./sources.ts";

export const MAX_FLEET_BYTES = 32 * 2 ** 20;

/** Allowed references of a fleet's files, besides files below their folders. */
export interface AllowedReferences {
  /** Variables whose values may be shown. */
  allowEnv?: readonly string[];
  /** Folders whose files may be read. */
  allowFile?: readonly string[];
  /** The folder of networks, or the folder that a file's path to it is relative to. */
  networks?: string;
  allowUnknown?: boolean;
}

/** The parts of the app that sources need; the library has no others. */
interface FleetWorld extends Pick<App, "env" | "project"> {
  files: Pick<App["files"], "read" | "list" | "load" | "real">;
  stdin: App["stdin"];
  config?: Pick<App["config"], "read">;
  secrets: Pick<App["secrets"], "add">;
}

/** Returns the user's files and variables for a fleet. Its secrets are redacted in every output. */
export function openFleetSources(app: FleetWorld, allowed: AllowedReferences = {}): FleetSources {
  const { allowEnv = [], allowFile = [], networks, allowUnknown = false } = allowed;
  return {
    read: (path) => readExactInput(app, path, MAX_FLEET_BYTES),
    async readReferenced(path, from) {
      const real = await realPath(app, path, from === undefined ? undefined : [dirname(from), ...allowFile]);
      const text = real === undefined ? undefined : await app.files.load(real, MAX_FLEET_BYTES);
      return text ?? refuseSource(path, NO_FILE);
    },
    async list(folder, root) {
      const real = await realPath(app, folder, [root, ...allowFile]);
      return real === undefined ? [] : await app.files.list(real);
    },
    foldersFor: async (path, file) => {
      if (isAbsolute(path) && networks === undefined) return [{ folder: path, root: dirname(file) }];
      const roots = networks === undefined ? await listRoots(app, dirname(file)) : [networks];
      const folders = roots.map((root) => ({ folder: join(root, path), root }));
      return networks === undefined ? folders : [{ folder: networks, root: networks }, ...folders];
    },
    allowsUnknown: allowUnknown,
    env: (name) => app.env[name],
    mayShow: (name) => allowEnv.includes(name) && !isSourceTokenVariable(name),
    async labels() {
      const { config } = app;
      if (!config) return () => NO_LABELS;
      const all = await readLabels({ ...app, config });
      return (kind, typed) => listedLabelAddress(all, kind, typed);
    },
    protect: (secret) => app.secrets.add(secret),
  };
}

/** Returns whether a variable's name shows that it has a token, whose value is never shown. */
export function isSourceTokenVariable(name: string): boolean {
  return /(?:^|_)TOKENS?(?:_|$)/i.test(name);
}

/** The most parent folders that are searched for a file's repository. */
const MOST_ABOVE = 64;

/** Returns where the service may have been started: next to a file, here, one folder up, then up to its repository. */
async function listRoots({ files }: FleetWorld, next: string): Promise<string[]> {
  const above: string[] = [];
  let [at, isFound] = [next, false];
  while (!isFound && above.length < MOST_ABOVE) {
    above.push(at);
    isFound = (await files.real(join(at, ".git"))) !== undefined;
    at = join(at, "..");
  }
  const roots = [next, ".", join(next, ".."), ...(isFound ? above : [])];
  return roots.filter((root, index) => roots.findIndex((other) => resolve(other) === resolve(root)) === index);
}

/** Folders of processes, their memory and variables, and devices. */
const NOT_FILES = ["/proc", "/dev", "/sys"];

/** Returns the real path of a reference; undefined if it does not exist. @throws RelayctlError */
async function realPath({ files }: FleetWorld, path: string, folders: readonly string[] | undefined) {
  const outside = "is not below the folder of the file that refers to it: add --allow-file FOLDER to read it";
  // Paths outside are not even looked up.
  if (folders && !folders.some((folder) => isBelow(folder, path))) refuseSource(path, outside);
  const real = await files.real(path);
  const allowed = folders && (await Promise.all(folders.map((folder) => files.real(folder))));
  if (real === undefined) return undefined;
  if (NOT_FILES.some((folder) => isBelow(folder, real))) refuseSource(path, "is not a regular file");
  if (allowed && !allowed.some((folder) => folder !== undefined && isBelow(folder, real))) refuseSource(path, outside);
  return real;
}

function refuseSource(where: string, rule: string): never {
  throw usageError([{ where, rule }]);
}

function isBelow(folder: string, path: string): boolean {
  const inner = relative(resolve(folder), resolve(path));
  return !isAbsolute(inner) && inner !== ".." && !inner.startsWith(`..${sep}`);
}
