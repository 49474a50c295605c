import type { Call } from "../../command-support/call.ts";
import type { ConnectionFlags } from "../../config/connection/typed-connection.ts";
import type { ServiceSettings } from "../../config/settings.ts";
import { readSettings } from "../../session/read-settings.ts";

export async function settingsOf(call: Call, flags: ConnectionFlags = call.common): Promise<ServiceSettings> {
  const { app, say } = call;
  const settings = await readSettings(app, flags);
  if (settings.demo) throw new Error("the demo was refused before");
  for (const note of settings.notes) await say({ note });
  return settings;
}

export async function keptPlace(call: Pick<Call, "app">, { context, token }: ServiceSettings) {
  if (token.kind !== "command") return undefined;
  const { storePlace } = await import("../token-store/stored-token.ts");
  return await storePlace(call, context?.value, token.argv);
}
