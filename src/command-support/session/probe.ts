import type { App } from "../../app.ts";
import { type Client, createClient } from "../../client/client.ts";
import type { ClientContext } from "../../client/client-context.ts";
import type { ServiceSettings } from "../../config/resolve-settings.ts";
import type { Credentials } from "../../contract/wire.ts";
import { networkBounds, openSessionNetwork } from "../../session/open-network.ts";

export const ONE = { page: 1, perPage: 1 } as const;

export async function probingClient(
  app: App,
  settings: ServiceSettings,
  credentials: Credentials,
  report: ClientContext["report"] = () => {},
): Promise<Client> {
  const transport = await openSessionNetwork(app, settings);
  return createClient({ transport, ...credentials, ...networkBounds(app, settings), report });
}

export async function probeService(app: App, settings: ServiceSettings, credentials: Credentials) {
  const client = await probingClient(app, settings, credentials);
  for await (const page of client.relayers.list(ONE)) return { total: page.total };
  return { total: undefined };
}
