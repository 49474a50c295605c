import { setMaxListeners } from "node:events";
import type { Dispatcher } from "undici";
import Pool from "undici/lib/dispatcher/pool.js";
import type { WireRequest } from "../../contract/wire.ts";
import type { Exchange } from "../exchange.ts";
import type { NetworkOptions } from "../network-options.ts";
import { awaitReply, type ReplyEvents } from "./await-reply.ts";
import { openSocket } from "./open-socket.ts";
import { KEEP_ALIVE, STRICT } from "./strict.ts";

/**
 * Many requests at once over undici's pool. Nothing in it retries or redirects, and no limit of undici's is relied upon,
 * since none of them is a deadline.
 */
export function createPooled(options: NetworkOptions): Exchange {
  let connections = openConnections(options);
  return (request, limits) => {
    const used = connections;
    return awaitReply(options, limits, (events) =>
      send(request, used.pool, events, () => {
        if (used === connections) connections = openConnections(options);
        used.close();
      }),
    );
  };
}

interface Connections {
  pool: Dispatcher;
  /** What is under way ends, what waits for a connection fails. */
  close(): void;
}

function openConnections(options: NetworkOptions): Connections {
  const opening = new AbortController();
  // Each connection that is being opened listens to it.
  setMaxListeners(0, opening.signal);
  const pool = new Pool(options.origin, {
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE,
    keepAliveMaxTimeout: KEEP_ALIVE,
    maxHeaderSize: STRICT.maxHeaderSize,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: -1,
    connect(_, done) {
      openSocket(options, opening.signal).then(
        (socket) => done(null, socket),
        (error: Error) => done(error, null),
      );
    },
  });
  return {
    pool,
    close() {
      opening.abort();
      pool.close().catch(() => {});
    },
  };
}

/** @param abandonOpening called when the request is left before it had a connection: the one that it waits for may hang */
function send(
  { target, method, headers, body }: WireRequest,
  pool: Dispatcher,
  events: ReplyEvents,
  abandonOpening: () => void,
): () => void {
  let isLeft = false;
  let leave = abandonOpening;
  pool.dispatch(
    { path: target, method, headers: { ...headers }, body: body ?? null },
    {
      onRequestStart(controller) {
        leave = () => controller.abort(new Error("left"));
        if (isLeft) return leave();
        events.started();
      },
      onResponseStart(_, status, received) {
        if (status >= 200) events.head(status, received);
      },
      onResponseData: (_, chunk) => events.data(chunk),
      onResponseEnd: () => events.end(),
      onResponseError(_, error) {
        leave = () => {};
        events.failed(error);
      },
    },
  );
  return () => {
    isLeft = true;
    leave();
  };
}
