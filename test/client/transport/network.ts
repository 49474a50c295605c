import type { AttemptLimits, Connection, Transport } from "../../../src/client/transport/transport.ts";
import { openTransport } from "../../../src/client/transport.ts";
import type { WireRequest } from "../../../src/contract/wire.ts";
import { type Act, type RawServer, rawServer } from "../../helpers/service/raw-server.ts";

export const GET: WireRequest = {
  method: "GET",
  target: "/api/v1/relayers?page=1",
  headers: { authorization: "Bearer token" },
};
export const PUT: WireRequest = { ...GET, method: "PUT", target: "/api/v1/x", body: '{"value":1}' };

export type Limits = Partial<AttemptLimits>;

/** The real transport; limits that a test leaves out are wide. */
export function network(connection: Connection, origin: string, proxy?: string) {
  const transport: Transport = openTransport({ origin, caCertificates: [], ...(proxy && { proxy }) });
  return (request: WireRequest, limits: Limits = {}) =>
    transport(request, { maxBytes: 1000, connection, signal: new AbortController().signal, ...limits });
}

/** A raw server that is closed when the test ends. */
export async function open(...acts: readonly Act[]): Promise<RawServer> {
  const server = await rawServer(...acts);
  onTestFinished(() => server.close());
  return server;
}
