import type { App } from "../app.ts";
import type { Exchange } from "../client/exchange.ts";
import type { ServiceSettings } from "../config/settings.ts";

const MAX_CERTIFICATE_BYTES = 2 ** 20;

/** The way to the service that the settings name. Certificates are read here, so that a bad file is told by its name. */
export async function openNetwork(app: App, settings: ServiceSettings): Promise<Exchange> {
  const caCertificates = await Promise.all(
    settings.caFiles.map(async ({ value }) => new TextDecoder().decode(await app.files.read(value, MAX_CERTIFICATE_BYTES))),
  );
  return await app.network({
    origin: settings.server.value,
    caCertificates,
    ...(settings.proxy && { proxy: settings.proxy.value }),
  });
}
