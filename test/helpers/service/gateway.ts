import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { Transport } from "../../../src/client/transport/transport.ts";
import type { Method, WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { listen } from "./listen.ts";

export interface Gateway {
  origin: string;
  /** Every request that came, also those that were refused. */
  received: WireRequest[];
  /** The requests that reached the service. */
  passed: WireRequest[];
  close(): Promise<void>;
}

/** What a gateway demands, and what it responds to a request without it; undefined lets the request pass. */
export type Guard = (request: WireRequest) => WireReply | undefined;

/** Opens a gateway, whose own headers the service never gets. */
export async function openGateway(guard: Guard, service: Transport): Promise<Gateway> {
  const received: WireRequest[] = [];
  const passed: WireRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void readRequest(incoming).then(async (request) => {
      received.push(request);
      const refused = guard(request);
      if (!refused) passed.push(request);
      const signal = new AbortController().signal;
      const found = refused ?? (await service(request, { maxBytes: 2 ** 23, connection: "own", signal }));
      outgoing.writeHead(found.status, found.headers).end(found.body);
    });
  });
  return {
    origin: `http://127.0.0.1:${await listen(server)}`,
    received,
    passed,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<WireRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = "GET", url = "/", headers } = incoming;
  const body = Buffer.concat(chunks).toString();
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { method: method as Method, target: url, headers: Object.fromEntries(texts), ...(body !== "" && { body }) };
}
