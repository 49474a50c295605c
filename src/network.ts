import type { Clock } from "./client/clock.ts";
import { createFindAddresses } from "./client/transport/find-addresses.ts";
import type { FindAddresses, NetworkOptions, Transport } from "./client/transport/transport.ts";
import { openTransport } from "./client/transport.ts";
import { isExecutable, lookupProgram } from "./installation.ts";

const { env } = process;

export function createNetworkLookup(clock: Clock): FindAddresses {
  return createFindAddresses({ env, getent: "/usr/bin/getent", ...lookupProgram }, clock);
}

export async function openNetwork(options: NetworkOptions, note: (text: string) => Promise<void>): Promise<Transport> {
  // Node would warn that it verifies no certificates, but the transport always does.
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    await note("NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect: certificates are always verified");
  }
  return openTransport({ ...options, asFlags: true, includesSystems: isExecutable });
}
