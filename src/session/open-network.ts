import type { App } from "../app.ts";
import { createThrottle } from "../client/attempt/throttle.ts";
import type { ClientContext } from "../client/client-context.ts";
import { createJsonRpcIds } from "../client/json-rpc.ts";
import type { Transport } from "../client/transport/transport.ts";
import { readCertificates } from "../config/connection/certificates.ts";
import { usesTls } from "../config/connection/proxy.ts";
import type { ServiceSettings, Settings } from "../config/resolve-settings.ts";
import type { Sourced } from "../config/sourced.ts";
import { usageError } from "../errors.ts";
import { hideUrl } from "./hide-secrets.ts";

export async function openSessionNetwork(
  app: App,
  { server, caFiles, certificate, proxy }: ServiceSettings,
): Promise<Transport> {
  const isSecure = usesTls(server.value);
  const isTyped = ({ from }: Sourced<unknown>) => from.startsWith("--");
  const read = usesTls(server.value, proxy?.value) ? caFiles : caFiles.filter(isTyped);
  // Most lists read no certificates, and then do without the code for it.
  const caCertificates = read.length === 0 ? [] : await readCertificates(read, app.files);
  const clientCertificate =
    certificate && (isSecure || isTyped(certificate)) ? await usableCertificate(app, certificate) : undefined;
  if (proxy) hideUrl(app, proxy.value);
  return await app.network({
    ...{ origin: server.value, caCertificates },
    ...(clientCertificate && isSecure && { clientCertificate }),
    ...(proxy && { proxy: proxy.value }),
  });
}

async function usableCertificate(app: App, files: NonNullable<ServiceSettings["certificate"]>) {
  const { readClientCertificate } = await import("../config/connection/client-certificate.ts");
  const { certificateProblem, certificateSecrets } = await import("../client/transport/client-certificate.ts");
  const certificate = await readClientCertificate(files, app.files);
  for (const secret of certificateSecrets(certificate)) app.secrets.add(secret);
  const rule = await certificateProblem(certificate);
  if (rule === undefined) return certificate;
  throw usageError([{ where: files.from, given: files.value.cert, rule }]);
}

export function networkBounds(app: App, { timeout, retries }: Settings) {
  const { clock, random, heapLimit, interrupt, abandon, secrets } = app;
  return {
    secrets,
    clock,
    random,
    throttle: createThrottle(clock),
    knownKeys: new Map(),
    latest: { date: 0 },
    nextRpcId: createJsonRpcIds(clock),
    heapLimit,
    interrupt,
    abandon,
    timeout: timeout.value,
    retries: retries.value,
  } satisfies Partial<ClientContext>;
}
