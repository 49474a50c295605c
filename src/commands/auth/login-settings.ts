import type { Call } from "../../command-support/call.ts";
import type { Config } from "../../config/config.ts";
import { resolveSettings } from "../../config/resolve-settings.ts";
import type { ServiceSettings } from "../../config/settings.ts";

/** Variables that select target and identity. A login must not silently use another target. */
const TARGET = ["RELAYCTL_SERVER", "RELAYCTL_TOKEN", "RELAYCTL_TOKEN_FILE", "RELAYCTL_CONTEXT"];

/**
 * Returns the settings that a command would have in a context that is not stored yet. @param config as it will be
 * stored
 */
export async function loginSettings(
  { app, common, say }: Call,
  name: string,
  config: Config,
): Promise<ServiceSettings> {
  const env = Object.fromEntries(Object.entries(app.env).filter(([variable]) => !TARGET.includes(variable)));
  const settings = await resolveSettings({ ...common, context: name }, env, async () => config);
  if (settings.demo) throw new Error("the demo was refused before");
  for (const note of settings.notes) await say(`note: ${note}`);
  return settings;
}
