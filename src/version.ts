/** Inserted by the bundler (scripts/build-facts.js), absent when the sources run. */
declare const RELAYCTL_BUILD: string | undefined;
declare const RELAYCTL_COMMIT: string | undefined;
declare const RELAYCTL_CLEAN: boolean | undefined;

/** The version of this package; a test compares it with package.json. */
export const VERSION = "0.1.0";

export interface Build {
  /** `npm` for the package, `executable` for a program without Node.js, `source` for a clone. */
  kind: string;
  /** The commit in full; absent if it was not built in a git checkout. */
  commit?: string;
  isClean?: boolean;
}

export function buildFacts(): Build {
  const kind = typeof RELAYCTL_BUILD === "undefined" ? "source" : RELAYCTL_BUILD;
  if (typeof RELAYCTL_COMMIT === "undefined" || typeof RELAYCTL_CLEAN === "undefined") return { kind };
  return { kind, commit: RELAYCTL_COMMIT, isClean: RELAYCTL_CLEAN };
}

export interface Runtime {
  name: "node" | "bun";
  /** Its version, e.g. `22.11.0`. */
  version: string;
  /** The system and the processor as in the name of an executable, e.g. `macos-arm64`. */
  platform: string;
}

const SYSTEMS: Readonly<Record<string, string>> = { darwin: "macos", win32: "windows" };

export function runtimeOf({
  versions,
  platform,
  arch,
}: Pick<NodeJS.Process, "versions" | "platform" | "arch">): Runtime {
  const { bun, node } = versions;
  const machine = `${SYSTEMS[platform] ?? platform}-${arch}`;
  return { ...(bun ? { name: "bun", version: bun } : { name: "node", version: node }), platform: machine };
}
