import type { Label } from "../labels.ts";
import type { Sourced } from "../sourced.ts";

export const PROJECT_NAME = ".relayctl.json";
export const TRUSTED_NAME = "projects.json";

/** A project file's settings for its folder and below. It only selects what is already stored. */
export interface Project {
  path: string;
  context?: string;
  /** The paths of the files of a fleet, relative to the folder of the project file. */
  files: readonly string[];
  labels: readonly Label[];
}

export interface FoundProject extends Project {
  /** `changed` if other content of the file was trusted. */
  trust: "trusted" | "changed" | "new";
  remember(): Promise<void>;
}

export interface ProjectFile {
  /** Rejects with a `usage` error if the file can't be trusted, or has forbidden settings. */
  find(): Promise<FoundProject | undefined>;
  /** Forgets the file with any content. Returns its path, and whether it was trusted. */
  forget(): Promise<{ path: string; wasTrusted: boolean } | undefined>;
}

export type ReadProject = () => Promise<Project | undefined>;

export async function projectContext(read: ReadProject | undefined): Promise<Sourced<string> | undefined> {
  const { context, path = "" } = (await read?.()) ?? {};
  return context === undefined ? undefined : { value: context, from: path };
}

export function projectLines({ context, files, labels }: Project): string[] {
  return [
    ...(context === undefined ? [] : [`context: ${context}`]),
    ...files.map((file) => `fleet file: ${file}`),
    ...labels.map(({ name, kind, address }) => `label: @${name} on ${kind}, ${address}`),
  ];
}
