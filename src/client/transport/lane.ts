import type { ReplyEvents, Shared } from "./await-reply.ts";
import { type KeptConnection, keepConnection } from "./kept-connection.ts";
import { type PlainRequest, textOf } from "./plain-request.ts";
import type { ReplyHeaders } from "./reply-collector.ts";
import type { Wire } from "./wire.ts";

/** One connection for consecutive requests, opened when first needed and again after it was lost. */
export interface Lane {
  /** The bytes of the current connection; absent before the first. */
  readonly wire: Wire | undefined;
  /** Sends a request. Returns a function that abandons it, which may be called twice. */
  send(request: PlainRequest, events: ReplyEvents): () => void;
  /** Called after a response that was the only one due on the connection. */
  rest(): void;
  /** Ends the request in progress and closes the connection, even while it is opening. */
  close(): void;
}

/** The connections that are opening. They share the name lookup, and when one hangs, all are abandoned. */
export interface Opening {
  /** Returns the signal that ends the current ones. */
  signal(): AbortSignal;
  leave(signal: AbortSignal): void;
}

/** Opens a lane, which never retries or follows a redirect. */
export function openLane({ options, openSocket }: Shared, opening: Opening): Lane {
  const { host } = new URL(options.origin);
  let awaited: AbortSignal | undefined;
  let connection: KeptConnection | undefined;
  let isOver = false;

  function close(): void {
    if (awaited) opening.leave(awaited);
    connection?.wire.end();
  }

  function sendOver({ send }: KeptConnection, request: PlainRequest, events: ReplyEvents): void {
    const head = (status: number, headers: ReplyHeaders) => {
      isOver ||= closesSoon(headers);
      events.head(status, headers);
    };
    send(textOf(request, host), { ...events, head });
  }

  async function open(): Promise<KeptConnection> {
    awaited = opening.signal();
    try {
      connection = keepConnection(await openSocket(awaited, { listens: true }));
      isOver = false;
      return connection;
    } finally {
      awaited = undefined;
    }
  }

  return {
    get wire() {
      return connection?.wire;
    },
    send(request, events) {
      if (connection?.isOpen && !isOver) {
        sendOver(connection, request, events);
        return connection.wire.end;
      }
      connection?.wire.end();
      let isLeft = false;
      open().then((opened) => {
        if (isLeft) opened.wire.end();
        else sendOver(opened, request, events);
      }, events.failed);
      return () => {
        isLeft = true;
        close();
      };
    },
    rest() {
      if (connection?.rest() === false || isOver) close();
    },
    close,
  };
}

/** A service that closes idle connections after so few seconds may close one just as the next request is sent. */
const SHORTEST_KEPT = 2;

function closesSoon(headers: ReplyHeaders): boolean {
  const [, seconds] = /\btimeout=([0-9]+)/i.exec(String(headers["keep-alive"] ?? "")) ?? [];
  return seconds !== undefined && Number(seconds) <= SHORTEST_KEPT;
}
