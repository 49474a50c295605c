import type { Call } from "../../command-support/call.ts";
import type { ConnectionFlags } from "../../config/connection/typed-connection.ts";
import { resolveSettings } from "../../config/resolve-settings.ts";
import type { ServiceSettings } from "../../config/settings.ts";

/** Returns the settings that a command with these flags would have, and prints their notes. Refuses the demo. */
export async function settingsOf(call: Call, flags: ConnectionFlags = call.common): Promise<ServiceSettings> {
  const { app, say } = call;
  const settings = await resolveSettings(flags, app.env, () => app.config.read());
  if (settings.demo) throw new Error("the demo was refused before");
  for (const note of settings.notes) await say(`note: ${note}`);
  return settings;
}
