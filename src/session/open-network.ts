import type { App } from "../app.ts";
import { createThrottle } from "../client/attempt/throttle.ts";
import type { ClientContext } from "../client/client-context.ts";
import { createRpcIds } from "../client/json-rpc.ts";
import type { Transport } from "../client/transport/transport.ts";
import { readCertificates } from "../config/connection/certificates.ts";
import type { ServiceSettings, Settings } from "../config/settings.ts";
import { hideUrl } from "./hide-secrets.ts";

/** Opens the transport to the selected service. An invalid certificate file is reported here by its name. */
export async function openNetwork(app: App, { server, caFiles, proxy }: ServiceSettings): Promise<Transport> {
  const isPlain = server.value.startsWith("http:");
  const caCertificates = isPlain ? [] : await readCertificates(caFiles, app.files);
  if (proxy) hideUrl(app, proxy.value);
  return await app.network({ origin: server.value, caCertificates, ...(proxy && { proxy: proxy.value }) });
}

type ClientBounds = Pick<
  ClientContext,
  | "secrets"
  | "clock"
  | "random"
  | "throttle"
  | "knownKeys"
  | "nextRpcId"
  | "timeout"
  | "retries"
  | "heapLimit"
  | "interrupt"
  | "abandon"
>;

/** Returns the clock, random source, limits, and signals of every client context, whatever its target. */
export function clientBounds(app: App, { timeout, retries }: Settings): ClientBounds {
  const { clock, random, heapLimit, interrupt, abandon, secrets } = app;
  const own = { timeout: timeout.value, retries: retries.value };
  return {
    secrets,
    clock,
    random,
    throttle: createThrottle(clock),
    knownKeys: new Map(),
    nextRpcId: createRpcIds(clock),
    heapLimit,
    interrupt,
    abandon,
    ...own,
  };
}
