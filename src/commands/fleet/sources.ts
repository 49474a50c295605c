import type { App } from "../../app.ts";
import { readText } from "../../command-support/input-file.ts";
import type { FleetSources } from "../../fleet/sources.ts";

/** The largest file of a fleet. */
export const MAX_FLEET_BYTES = 32 * 2 ** 20;

/** The parts of the app that sources need; the library has no others. */
type FleetWorld = Pick<App, "env"> & {
  files: Pick<App["files"], "read" | "list">;
  stdin: App["stdin"];
  secrets: Pick<App["secrets"], "add">;
};

/** Returns the user's files and variables, from which a fleet is read. Its secrets are redacted in every output. */
export function fleetSources(app: FleetWorld): FleetSources {
  return {
    read: (path) => readText(app, path, MAX_FLEET_BYTES),
    list: (folder) => app.files.list(folder),
    env: (name) => app.env[name],
    protect: (secret) => app.secrets.add(secret),
  };
}
