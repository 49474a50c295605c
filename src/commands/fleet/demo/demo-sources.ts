import type { KnownSecrets } from "../../../fleet/known-secrets.ts";
import type { FleetSources } from "../../../fleet/sources.ts";
import { DEMO_CONFIG } from "./demo-config.ts";
import { DEMO_FILE } from "./demo-file.ts";

export function withDemoFile(sources: FleetSources): FleetSources {
  return {
    ...sources,
    read: async (path) => (path === DEMO_FILE ? DEMO_CONFIG : await sources.read(path)),
    list: async (folder, root) => (DEMO_FILE.startsWith(folder) ? [] : await sources.list(folder, root)),
  };
}

/** Returns what is known about secrets if the demo's file was applied before, except one that differs. */
export function knownInDemo(known: KnownSecrets): KnownSecrets {
  return {
    ...known,
    lastApplied: async (noun, id, path) =>
      (await known.lastApplied(noun, id, path)) ?? (id === NEVER_APPLIED ? undefined : async () => true),
  };
}

/** The notification whose signing key cannot be compared. */
const NEVER_APPLIED = "ops-hook";
