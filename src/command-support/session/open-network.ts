import type { App } from "../../app.ts";
import type { Transport } from "../../client/transport/transport.ts";
import { readCertificates } from "../../config/connection/certificates.ts";
import type { ServiceSettings } from "../../config/settings.ts";

/** Opens the transport to the selected service. An invalid certificate file is reported here by its name. */
export async function openNetwork(app: App, { server, caFiles, proxy }: ServiceSettings): Promise<Transport> {
  const isPlain = server.value.startsWith("http:");
  const caCertificates = isPlain ? [] : await readCertificates(caFiles, app.files);
  if (proxy) app.secrets.add(decodeURIComponent(new URL(proxy.value).password));
  return await app.network({ origin: server.value, caCertificates, ...(proxy && { proxy: proxy.value }) });
}
