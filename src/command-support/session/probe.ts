import { createClient } from "../../client/client.ts";
import type { ServiceSettings } from "../../config/settings.ts";
import { clientBounds, openNetwork } from "../../session/open-network.ts";
import type { Call } from "../call.ts";

/** Requests a list of one relayer from a service, to check server and token before they are stored. */
export async function probe(
  call: Pick<Call, "app">,
  settings: ServiceSettings,
  token: string,
): Promise<{ total: number | undefined }> {
  const { app } = call;
  const client = createClient({
    transport: await openNetwork(app, settings),
    token,
    ...clientBounds(app, settings),
    report: () => {},
  });
  for await (const page of client.relayers.list({ page: 1, perPage: 1 })) return { total: page.total };
  return { total: undefined };
}
