import { request as openRequest } from "node:http";
import type { WireRequest } from "../../contract/wire.ts";
import { awaitReply, type ReplyEvents, type RequestInProgress, type Shared } from "./await-reply.ts";
import { STRICT } from "./response-head.ts";
import type { Transport } from "./transport.ts";
import { type Wire, watchSocket } from "./wire.ts";

/** Creates a transport over `node:http`, which loads in a fraction of undici's time: a new connection for each request. */
export function createSingle(shared: Shared): Transport {
  return (request, limits) =>
    awaitReply(shared, limits, (events) => sendOnSocket(request, { shared, signal: limits.signal }, events));
}

function sendOnSocket(
  { method, target, headers, body, bytes }: WireRequest,
  { shared: { options, openSocket }, signal }: { shared: Shared; signal: AbortSignal },
  events: ReplyEvents,
): RequestInProgress {
  let wire: Wire | undefined;
  const outgoing = openRequest({
    ...STRICT,
    method,
    path: target,
    setHost: false,
    // Without an agent, which would close or reuse the connection once the response arrives, while the service may still
    // send more. The request only gets the connection when it is open: until then nothing was sent.
    createConnection(_, done) {
      openSocket(signal, { listens: true }).then((opened) => {
        wire = opened.wire;
        done(null, opened.socket);
      }, events.failed);
      return undefined;
    },
  });
  // Not among the options: NODE_DEBUG=http would print the options, and the token with them.
  const content = bytes ?? body;
  const length = content === undefined ? {} : { "content-length": Buffer.byteLength(content) };
  outgoing.setHeaders(
    new Map<string, string | number>(Object.entries({ host: new URL(options.origin).host, ...headers, ...length })),
  );
  outgoing.on("socket", () => {
    if (wire) events.started(wire);
  });
  outgoing.on("error", events.failed);
  outgoing.on("response", (incoming) => {
    // Keeps Node from closing the connection, since the service may still owe responses.
    outgoing.shouldKeepAlive = true;
    incoming.on("data", events.data).on("end", events.end).on("error", events.failed);
    events.head(incoming.statusCode ?? 0, incoming.headersDistinct);
  });
  outgoing.end(content);
  return {
    leave() {
      outgoing.destroy();
      wire?.end();
    },
    async settled(confirmation) {
      if (wire) await watchSocket(wire, confirmation);
      return undefined;
    },
    done() {
      wire?.end();
    },
  };
}
