import type { Config } from "../config/config.ts";
import { type Environment, variable } from "../config/environment.ts";
import type { Machine } from "../config/machine/machine.ts";
import type { Fact, JournalFacts, OpenFile } from "./facts.ts";

/** What this machine shows of itself, for all contexts. */
export interface MachineFacts {
  now: number;
  env: Environment;
  machine: Machine;
  configPath: string;
  config: Fact<Config>;
  /** Why the config cannot be read; undefined if it can. */
  fault: string | undefined;
  journal: Fact<JournalFacts>;
  journalFolder: string | undefined;
  open: readonly OpenFile[];
  nodeVersion: string | undefined;
  /** The files with certificates to trust, and what specifies each. */
  certificates: readonly CertificateFile[];
  /** What is wrong with the names of variables. */
  unknownVariables: readonly string[];
  /** The text of the files in which a shell may load completion; empty if the shell is not known. */
  startup: string;
}

export interface CertificateFile {
  path: string;
  from: string;
  /** The text, or why it cannot be read. */
  pem: Fact<string>;
}

/** Returns the name of the user's shell, e.g. `bash`. */
export function shellOf(env: Environment): string {
  return (variable(env, "SHELL") ?? "").split("/").at(-1) ?? "";
}
