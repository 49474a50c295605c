import type { App } from "../app.ts";
import type { ConnectionFlags } from "../config/connection/typed-connection.ts";
import { resolveSettings } from "../config/resolve-settings.ts";
import type { Settings } from "../config/settings.ts";

export async function readSettings(
  { env, config, project }: Pick<App, "env" | "config" | "project">,
  flags: ConnectionFlags,
): Promise<Settings> {
  return await resolveSettings(flags, env, () => config.read(), project);
}
