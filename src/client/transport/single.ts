import { request as openRequest } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { WireRequest } from "../../contract/wire.ts";
import { awaitReply, type ReplyEvents, type RequestInProgress } from "./await-reply.ts";
import { type Connections, keptConnections, type OpeningRequest, ownConnection } from "./connections.ts";
import type { NetworkOptions, Transport } from "./transport.ts";
import { closedOrLongEnough, STRICT, type Wire } from "./wire.ts";

/** Creates a transport over `node:http`, which loads in a fraction of undici's time. */
export function createSingle(options: NetworkOptions): Transport {
  const kept = keptConnections(options);
  return (request, limits) => {
    const { signal, connection } = limits;
    const isKept = connection === "kept";
    return awaitReply(options, limits, (events) => {
      const connections = isKept ? kept : ownConnection(options, signal, events.failed);
      return send(request, { connections, isKept, signal, origin: options.origin }, events);
    });
  };
}

interface Way {
  connections: Connections;
  isKept: boolean;
  signal: AbortSignal;
  origin: string;
}

function send({ method, target, headers, body, bytes }: WireRequest, way: Way, events: ReplyEvents): RequestInProgress {
  const { connections, isKept, signal, origin } = way;
  const requested: OpeningRequest = {
    ...STRICT,
    ...connections.source,
    leave: signal,
    method,
    path: target,
    setHost: false,
    servername: "",
  };
  const outgoing = openRequest(requested);
  // Not among the options: NODE_DEBUG=http would print the options, and the token with them.
  const content = bytes ?? body;
  const length = content === undefined ? {} : { "content-length": Buffer.byteLength(content) };
  outgoing.setHeaders(
    new Map<string, string | number>(Object.entries({ host: new URL(origin).host, ...headers, ...length })),
  );
  let wire: Wire | undefined;
  outgoing.on("socket", (socket) => {
    wire = connections.wireOf(socket);
    if (wire) events.started(wire);
  });
  outgoing.on("error", events.failed);
  outgoing.on("response", (incoming) => {
    // Keeps Node from closing the connection, since the service may still send responses that it owes.
    if (!isKept) outgoing.shouldKeepAlive = true;
    incoming.on("data", events.data).on("end", events.end).on("error", events.failed);
    events.head(incoming.statusCode ?? 0, incoming.headersDistinct, endOfCertificate(incoming.socket));
  });
  outgoing.end(content);
  return {
    leave() {
      outgoing.destroy();
      if (!isKept) wire?.end();
    },
    async settled(confirmation) {
      if (wire) await closedOrLongEnough(wire, confirmation);
      return undefined;
    },
    done() {
      if (!isKept) wire?.end();
    },
  };
}

/** Returns a function that reads the end of a connection's certificate; undefined without TLS. */
function endOfCertificate(socket: Socket): (() => number | undefined) | undefined {
  if (!("getPeerCertificate" in socket)) return undefined;
  return () => {
    const { valid_to: end } = (socket as TLSSocket).getPeerCertificate();
    const time = Date.parse(end ?? "");
    return Number.isFinite(time) ? time : undefined;
  };
}
