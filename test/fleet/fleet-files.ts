import { dirname, join } from "node:path";
import { RelayctlError, usageError } from "../../src/errors.ts";
import { readFleetFiles } from "../../src/fleet/config/read-fleet.ts";
import type { DesiredFleet } from "../../src/fleet/desired-fleet.ts";
import type { FleetSources } from "../../src/fleet/sources.ts";

/** Files and variables in memory, and the secrets that were found in them. */
export interface MemorySources extends FleetSources {
  readonly secrets: string[];
}

export function memorySources(files: Record<string, string>, env: Record<string, string> = {}): MemorySources {
  const secrets: string[] = [];
  return {
    secrets,
    read: async (path) => {
      const text = files[path];
      if (text === undefined) throw usageError([{ where: path, rule: "cannot be read: it does not exist" }]);
      return text;
    },
    list: async (folder) =>
      Object.keys(files)
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1))
        .filter((name) => !name.includes("/")),
    readReferenced: async (path) => {
      const text = files[path];
      if (text === undefined) throw usageError([{ where: path, rule: "cannot be read: it does not exist" }]);
      return text;
    },
    foldersFor: async (path, file) =>
      [dirname(file), join(dirname(file), "..")].map((root) => ({ folder: join(root, path), root })),
    env: (name) => env[name],
    labels: async () => () => ({ rule: "is a label" }),
    mayShow: (name) => name.startsWith("SHOWN"),
    protect: (secret) => void secrets.push(secret),
  };
}

export async function fleetOf(
  text: string,
  {
    file = "config.json",
    env = {},
    files = {},
  }: { file?: string; env?: Record<string, string>; files?: Record<string, string> } = {},
): Promise<DesiredFleet> {
  return await readFleetFiles([file], memorySources({ [file]: text, ...files }, env));
}

/** Returns the problems as lines, also those that a service may have; fails if there are none. */
export async function problemsOf(reading: Promise<unknown>): Promise<string[]> {
  const error = await reading.then(
    (fleet) => {
      const { doubts = [] } = fleet as Partial<DesiredFleet>;
      return doubts.length > 0 ? usageError(doubts.map(({ problem }) => problem)) : undefined;
    },
    (error: unknown) => error,
  );
  if (!(error instanceof RelayctlError) || error.exitCode !== 2) throw error ?? new Error("nothing was refused");
  return error.details.map(({ where, given, rule }) => `${where}${given === undefined ? "" : ` ${given}`}: ${rule}`);
}
