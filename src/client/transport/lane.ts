import type { Dispatcher } from "undici";
import Client from "undici/lib/dispatcher/client.js";
import type { WireRequest } from "../../contract/wire.ts";
import { IDLE_CONNECTION } from "../../timing.ts";
import type { ReplyEvents, Shared } from "./await-reply.ts";
import { STRICT } from "./response-head.ts";
import type { Wire } from "./wire.ts";

/** One connection for consecutive requests, opened when first needed and again after it was lost. */
export interface Lane {
  /** The bytes of the current connection; absent before the first. */
  readonly wire: Wire | undefined;
  /** Sends a request. Returns a function that abandons it, which may be called twice. */
  send(request: WireRequest, events: ReplyEvents): () => void;
  /** Ends the request in progress and closes the connection, even while it is opening. */
  close(): void;
}

/** The connections that are opening. They share the name lookup, and when one hangs, all are abandoned. */
export interface Opening {
  /** Returns the signal that ends the current ones. */
  signal(): AbortSignal;
  leave(signal: AbortSignal): void;
}

/** Opens a lane, which never retries or redirects. undici's timeouts, which are no deadlines, are off. */
export function openLane({ options, openSocket }: Shared, opening: Opening): Lane {
  let awaited: AbortSignal | undefined;
  let wire: Wire | undefined;
  const client = new Client(options.origin, {
    pipelining: 1,
    keepAliveTimeout: IDLE_CONNECTION,
    keepAliveMaxTimeout: IDLE_CONNECTION,
    maxHeaderSize: STRICT.maxHeaderSize,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: -1,
    connect(_, done) {
      awaited = opening.signal();
      openSocket(awaited, { listens: true })
        .finally(() => {
          awaited = undefined;
        })
        .then(
          (opened) => {
            wire = opened.wire;
            done(null, opened.socket);
          },
          (error: Error) => done(error, null),
        );
    },
  });
  const close = () => {
    if (awaited) opening.leave(awaited);
    client.destroy().catch(() => {});
  };
  return {
    get wire() {
      return wire;
    },
    send: (request, events) =>
      dispatch(client, request, {
        events,
        begin: () => wire && events.started(wire),
        abandon: close,
      }),
    close,
  };
}

interface Parts {
  events: ReplyEvents;
  /** Called when the request is about to be written. */
  begin(): void;
  /** Called when the request is abandoned before it has a connection: the opening connection may hang. */
  abandon(): void;
}

function dispatch(client: Dispatcher, request: WireRequest, { events, begin, abandon }: Parts): () => void {
  const { target, method, headers, body, bytes } = request;
  let leave = abandon;
  client.dispatch(
    { path: target, method, headers, body: bytes ?? body ?? null },
    {
      onRequestStart(controller) {
        leave = () => controller.abort(new Error("left"));
        begin();
      },
      onResponseStart(_, status, received) {
        if (status >= 200) events.head(status, received);
      },
      onResponseData: (_, chunk) => events.data(chunk),
      onResponseEnd() {
        leave = () => {};
        events.end();
      },
      onResponseError(_, error) {
        leave = () => {};
        events.failed(error);
      },
    },
  );
  return () => leave();
}
